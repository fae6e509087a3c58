import { createHash } from 'node:crypto';
import { conflict } from '@gantry/core/errors';
import type { StatusResponse, Vertex, VertexWarning } from '../protocol/messages.js';
import { JobVertex } from './job-vertex.js';

/** Most output that is kept of a build that has ended, in bytes. */
const maxReportedLog = 2 ** 18;

/** What a client shows of a build. Kept until it is read: a client asks for it before, during or after the build. */
export class JobProgress {
  #queue: StatusResponse[] = [];
  #hasEnded = false;
  #isFollowed = false;
  #wasFollowed = false;
  #logLength = 0;
  readonly #vertexes = new Map<string, Vertex>();
  readonly #logs: NonNullable<StatusResponse['logs']>[number][] = [];
  readonly #warnings: VertexWarning[] = [];
  #count = 0;
  #wake: (() => void) | undefined;

  constructor(private readonly ref: string) {}

  /** A new unit of work that is shown by itself. */
  vertex(name: string, inputs: readonly string[] = []): JobVertex {
    const digest = createHash('sha256')
      .update(`${this.ref}\0${this.#count++}\0${name}`)
      .digest('hex');
    return new JobVertex({ digest: `sha256:${digest}`, name, inputs }, (item) => this.#add(item));
  }

  /** The digest of a vertex; empty while none has the name. */
  digestOf(name: string): string {
    return [...this.#vertexes.values()].find((vertex) => vertex.name === name)?.digest ?? '';
  }

  warn(warnings: readonly VertexWarning[]): void {
    this.#add({ warnings });
  }

  get wasFollowed(): boolean {
    return this.#wasFollowed;
  }

  /** The last state of all vertexes, and what was logged first. */
  get reported(): readonly StatusResponse[] {
    return [{ vertexes: [...this.#vertexes.values()] }, { logs: this.#logs }, { warnings: this.#warnings }];
  }

  get counts(): { readonly steps: number; readonly cachedSteps: number; readonly completedSteps: number } {
    const vertexes = [...this.#vertexes.values()];
    return {
      steps: vertexes.length,
      cachedSteps: vertexes.filter(({ cached }) => cached === true).length,
      completedSteps: vertexes.filter(({ completed }) => completed !== undefined).length,
    };
  }

  /** Nothing follows. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** What was reported so far, and what is reported from now on until the end. @throws `conflict` the second time. */
  async *follow(signal: AbortSignal): AsyncGenerator<StatusResponse, void, undefined> {
    if (this.#isFollowed) throw conflict(`the status of build ${this.ref} is already being read`);
    this.#isFollowed = true;
    this.#wasFollowed = true;
    const wake = (): void => this.#wake?.();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        const items = this.#queue;
        this.#queue = [];
        if (items.length > 0) yield merged(items);
        else if (this.#hasEnded) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.#isFollowed = false;
    }
  }

  #add(item: StatusResponse): void {
    for (const vertex of item.vertexes ?? []) this.#vertexes.set(vertex.digest, vertex);
    for (const log of item.logs ?? []) {
      this.#logLength += log.msg.length;
      if (this.#logLength <= maxReportedLog) this.#logs.push(log);
    }
    this.#warnings.push(...(item.warnings ?? []));
    this.#queue.push(item);
    this.#wake?.();
  }
}

/** One message instead of many. The order counts among reports of one kind only. */
function merged(items: readonly StatusResponse[]): StatusResponse {
  return {
    vertexes: items.flatMap(({ vertexes = [] }) => vertexes),
    statuses: items.flatMap(({ statuses = [] }) => statuses),
    logs: items.flatMap(({ logs = [] }) => logs),
    warnings: items.flatMap(({ warnings = [] }) => warnings),
  };
}
