import { StringDecoder } from 'node:string_decoder';
import type { JsonStream } from '@gantry/core/http';
import type { Chunk } from '@gantry/core/streams';
import { type BuildOutput, type StageOutput, shortId } from '../contract/build-output.js';
import type { Instruction } from '../file/instruction.js';

/**
 * The output of `POST /build`: one text for all stages, which therefore run one after the other. A quiet build prints
 * the image id, or all its output when it fails.
 */
export class ClassicOutput implements BuildOutput, StageOutput {
  #held: object[] | undefined;
  #total = 0;
  #step = 0;

  constructor(
    private readonly stream: JsonStream,
    quiet: boolean,
  ) {
    this.#held = quiet ? [] : undefined;
  }

  plan(instructions: number): void {
    this.#total = instructions;
  }

  stage(): StageOutput {
    return this;
  }

  global(instruction: Instruction): Promise<void> {
    return this.begin(instruction);
  }

  async begin({ text }: Instruction): Promise<void> {
    await this.text(`Step ${++this.#step}/${this.#total} : ${text}`);
    await this.text('\n');
  }

  async cached(): Promise<void> {
    await this.text(' ---> Using cache\n');
  }

  async end(): Promise<void> {}

  /** Applies the client's backpressure. */
  async text(text: string): Promise<void> {
    await this.object({ stream: text });
  }

  async object(item: object): Promise<void> {
    if (this.#held === undefined) await this.stream.write(item);
    else this.#held.push(item);
  }

  /** `asObject` adds an object with the id for clients that do not parse the text. */
  async result(imageId: string, { asObject }: { readonly asObject: boolean }): Promise<void> {
    if (asObject) await this.stream.write({ aux: { ID: imageId } });
    if (this.#held !== undefined) await this.stream.write({ stream: `${imageId}\n` });
    else await this.text(`Successfully built ${shortId(imageId)}\n`);
  }

  /** The last object: the error. */
  async failure(message: string, code?: number): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const item of held) await this.object(item);
    await this.object({ errorDetail: { ...(code !== undefined && { code }), message }, error: message });
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
