import type { Instruction, Lookup, Stage, StageOutput, StagePosition } from '@gantry/build/service';
import type { Chunk } from '@gantry/core/streams';
import { describeFailure } from './describe-failure.js';
import type { JobProgress } from './job-progress.js';
import type { JobVertex } from './job-vertex.js';
import { makesFiles, StepNames, shownText } from './step-names.js';

/** Shows the instructions of one stage. */
export class VertexStageOutput implements StageOutput {
  #vertex: JobVertex | undefined;
  #last: JobVertex | undefined;
  #isCached = false;
  #instruction: Instruction | undefined;
  readonly #names: StepNames;

  constructor(
    private readonly progress: JobProgress,
    stage: Stage,
    private readonly position: StagePosition,
    private readonly shared: {
      /** The digest of the vertex that shows the image of FROM, once it is there. */
      readonly baseOf: () => string | undefined;
      readonly onFailure: (instruction: Instruction, digest?: string) => void;
    },
  ) {
    this.#names = new StepNames(stage, position);
  }

  async begin(instruction: Instruction, variables: Lookup): Promise<void> {
    this.#complete();
    this.#instruction = instruction;
    const { kind } = this.position.base;
    if (instruction.keyword !== 'FROM') {
      if (makesFiles(instruction)) this.#show(shownText(instruction, variables));
    } else if (kind === 'image') {
      // Shown with its own progress, once for all stages.
      this.#names.next();
    } else if (kind === 'context') {
      this.#show(shownText(instruction, variables));
    }
  }

  triggers(count: number): void {
    this.#names.addTriggers(count);
  }

  async beginTrigger(instruction: Instruction, variables: Lookup): Promise<void> {
    this.#complete();
    if (makesFiles(instruction)) this.#show(`ONBUILD ${shownText(instruction, variables)}`);
  }

  async cached(): Promise<void> {
    this.#isCached = true;
  }

  async text(_text: string): Promise<void> {}

  async object(_item: object): Promise<void> {}

  async program(chunks: AsyncIterable<Chunk>): Promise<void> {
    for await (const { stream, data } of chunks) {
      this.#vertex?.log(stream === 'stderr' ? 'stderr' : 'stdout', Buffer.from(data));
    }
  }

  async end(error?: unknown): Promise<void> {
    if (error !== undefined && this.#instruction !== undefined) {
      this.shared.onFailure(this.#instruction, this.#vertex?.digest);
    }
    this.#complete(error);
  }

  #show(text: string): void {
    const before = this.#last?.digest ?? this.shared.baseOf();
    this.#vertex = this.progress.vertex(`${this.#names.next()}${text}`, before === undefined ? [] : [before]).start();
    this.#last = this.#vertex;
  }

  #complete(error?: unknown): void {
    this.#vertex?.complete({ cached: this.#isCached, ...(error !== undefined && { error: describeFailure(error) }) });
    this.#vertex = undefined;
    this.#isCached = false;
  }
}
