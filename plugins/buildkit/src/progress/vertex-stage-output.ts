import {
  BuildFileError,
  type Instruction,
  type Stage,
  type StageOutput,
  type StagePosition,
  StepFailed,
} from '@gantry/build/service';
import { isRecord } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Chunk } from '@gantry/core/streams';
import type { JobProgress } from './job-progress.js';
import type { JobVertex } from './job-vertex.js';

const keywordsWithFiles: ReadonlySet<string> = new Set(['FROM', 'ADD', 'COPY', 'RUN', 'WORKDIR']);

/** Shows the instructions of one stage. */
export class VertexStageOutput implements StageOutput {
  #vertex: JobVertex | undefined;
  #last: JobVertex | undefined;
  #isCached = false;
  #number = 0;
  readonly #total: number;
  /** Of the name of each vertex. */
  readonly #prefix: string;

  constructor(
    private readonly progress: JobProgress,
    stage: Stage,
    private readonly position: StagePosition,
  ) {
    const name = stage.name ?? (position.count === 1 ? '' : `stage-${position.index}`);
    this.#prefix = name === '' ? '' : `${name} `;
    this.#total =
      (position.continuesStage ? 0 : 1) +
      stage.instructions.filter(({ keyword }) => keywordsWithFiles.has(keyword)).length;
  }

  async begin({ keyword, text }: Instruction): Promise<void> {
    this.#complete();
    if (!keywordsWithFiles.has(keyword) || (keyword === 'FROM' && this.position.continuesStage)) return;
    const name = `[${this.#prefix}${++this.#number}/${this.#total}] ${text}`;
    const inputs = this.#last === undefined ? [] : [this.#last.digest];
    this.#vertex = this.progress.vertex(name, inputs).start();
    this.#last = this.#vertex;
  }

  async cached(): Promise<void> {
    this.#isCached = true;
  }

  async text(_text: string): Promise<void> {}

  /** The progress of a pull. */
  async object(item: object): Promise<void> {
    const { id, status, progressDetail } = item as { id?: unknown; status?: unknown; progressDetail?: unknown };
    if (typeof status !== 'string') return;
    const { current, total } = isRecord(progressDetail) ? progressDetail : {};
    this.#vertex?.status(typeof id === 'string' ? `${id} ${status}` : status, {
      ...(typeof current === 'number' && { current }),
      ...(typeof total === 'number' && { total }),
      isComplete: !(typeof current === 'number'),
    });
  }

  async program(chunks: AsyncIterable<Chunk>): Promise<void> {
    for await (const { stream, data } of chunks) {
      this.#vertex?.log(stream === 'stderr' ? 'stderr' : 'stdout', Buffer.from(data));
    }
  }

  async end(error?: unknown): Promise<void> {
    this.#complete(error);
  }

  #complete(error?: unknown): void {
    this.#vertex?.complete({ cached: this.#isCached, ...(error !== undefined && { error: describeFailure(error) }) });
    this.#vertex = undefined;
    this.#isCached = false;
  }
}

/** The message that BuildKit's clients expect. */
export function describeFailure(error: unknown): string {
  if (error instanceof BuildFileError) {
    return error.line === undefined ? error.reason : `dockerfile parse error on line ${error.line}: ${error.reason}`;
  }
  if (!(error instanceof StepFailed)) return messageOf(error);
  return `process ${JSON.stringify(error.command.join(' '))} did not complete successfully: exit code: ${error.code}`;
}
