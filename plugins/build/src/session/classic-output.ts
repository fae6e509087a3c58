import { StringDecoder } from 'node:string_decoder';
import type { JsonStream } from '@gantry/core/http';
import type { Chunk } from '@gantry/core/streams';
import { shortId } from '@gantry/images/service';
import type { BuildOutput, BuildPlan, ImageOutput, StageOutput, StagePosition } from '../contract/build-output.js';
import type { Instruction, Stage } from '../file/instruction.js';

/** Most text of a stage that is held while an earlier stage prints, in characters. */
const maxHeld = 2 ** 20;

/**
 * The output of `POST /build`: one text for all stages, in the order of the build file. What a stage prints while an
 * earlier one runs is held until that has ended. A quiet build prints the image id, or all its output when it fails.
 */
export class ClassicOutput implements BuildOutput {
  #quiet: object[] | undefined;
  #total = 0;
  #step = 0;
  readonly #stages = new Map<number, ClassicStageOutput>();
  readonly #waiting = new Set<number>();
  #hasFailed = false;

  constructor(
    private readonly stream: JsonStream,
    quiet: boolean,
  ) {
    this.#quiet = quiet ? [] : undefined;
  }

  buildFile(): void {}

  plan({ globals, stages }: BuildPlan): void {
    this.#total = globals + stages.reduce((sum, { instructions }) => sum + instructions, 0);
    let first = globals;
    for (const { index, instructions } of stages) {
      this.#waiting.add(index);
      this.#stages.set(index, new ClassicStageOutput(this, index, first));
      first += instructions;
    }
  }

  stage(_stage: Stage, { index }: StagePosition): StageOutput {
    // A stage that is only named through a variable is not part of the plan.
    const output = this.#stages.get(index) ?? new ClassicStageOutput(this, index, this.#total);
    this.#waiting.add(index);
    this.#stages.set(index, output);
    return output;
  }

  /** The progress of a pull is printed by the stage that began it. */
  image(): ImageOutput {
    return { object: () => undefined, end: () => undefined };
  }

  async global({ text }: Instruction): Promise<void> {
    await this.step(++this.#step, text);
  }

  async step(number: number, text: string, write: (item: object) => Promise<void> = (item) => this.object(item)) {
    await write({ stream: `Step ${number}/${this.#total} : ${text}` });
    await write({ stream: '\n' });
  }

  /** Whether all stages before this one have ended. */
  isNext(index: number): boolean {
    return Math.min(...this.#waiting) === index;
  }

  /** A stage has ended. Prints what the next one held; of a failed build, only what the stage held that failed first. */
  async ended(index: number, isFailure: boolean): Promise<void> {
    this.#waiting.delete(index);
    if (this.#hasFailed) return;
    this.#hasFailed = isFailure;
    if (isFailure) {
      for (const [at, stage] of this.#stages) if (at !== index) stage.discard();
      await this.#stages.get(index)?.release();
      return;
    }
    const next = [...this.#stages.keys()].filter((at) => at > index).sort((a, b) => a - b);
    for (const at of next) {
      if (this.#waiting.size > 0 && Math.min(...this.#waiting) < at) return;
      await this.#stages.get(at)?.release();
    }
  }

  /** Applies the client's backpressure. */
  async text(text: string): Promise<void> {
    await this.object({ stream: text });
  }

  async object(item: object): Promise<void> {
    if (this.#quiet === undefined) await this.stream.write(item);
    else this.#quiet.push(item);
  }

  /** `asObject` adds an object with the id for clients that do not parse the text. */
  async result(imageId: string, { asObject }: { readonly asObject: boolean }): Promise<void> {
    if (asObject) await this.stream.write({ aux: { ID: imageId } });
    if (this.#quiet !== undefined) await this.stream.write({ stream: `${imageId}\n` });
    else await this.text(`Successfully built ${shortId(imageId)}\n`);
  }

  /** The last object: the error. */
  async failure(message: string, code?: number): Promise<void> {
    const held = this.#quiet ?? [];
    this.#quiet = undefined;
    for (const item of held) await this.object(item);
    await this.object({ errorDetail: { ...(code !== undefined && { code }), message }, error: message });
  }
}

/** What one stage prints. */
class ClassicStageOutput implements StageOutput {
  readonly #held: object[] = [];
  #heldLength = 0;
  #isDiscarded = false;
  #resume: (() => void) | undefined;

  constructor(
    private readonly output: ClassicOutput,
    private readonly index: number,
    private step: number,
  ) {}

  async begin({ text }: Instruction): Promise<void> {
    await this.output.step(++this.step, text, (item) => this.object(item));
  }

  triggers(): void {}

  async beginTrigger(): Promise<void> {}

  async cached(): Promise<void> {
    await this.text(' ---> Using cache\n');
  }

  async end(error?: unknown): Promise<void> {
    await this.output.ended(this.index, error !== undefined);
  }

  async text(text: string): Promise<void> {
    await this.object({ stream: text });
  }

  /** Prints nothing any more. */
  discard(): void {
    this.#isDiscarded = true;
    this.#held.length = 0;
    this.#resume?.();
  }

  /** Waits for the client, or for the stages before this one when much is held. */
  async object(item: object): Promise<void> {
    if (this.#isDiscarded) return;
    if (this.#held.length === 0 && this.output.isNext(this.index)) return this.output.object(item);
    this.#held.push(item);
    this.#heldLength += JSON.stringify(item).length;
    if (this.#heldLength <= maxHeld) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  /** Prints what is held. */
  async release(): Promise<void> {
    for (let item = this.#held.shift(); item !== undefined; item = this.#held.shift()) await this.output.object(item);
    this.#heldLength = 0;
    this.#resume?.();
  }

  /** The output of a step's program; stderr in red. */
  async program(chunks: AsyncIterable<Chunk>): Promise<void> {
    const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
    for await (const { stream, data } of chunks) {
      const name = stream === 'stderr' ? 'stderr' : 'stdout';
      const text = decoders[name].write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      if (text !== '') await this.text(name === 'stderr' ? `\u001b[91m${text}\u001b[0m` : text);
    }
  }
}
