import type { StatusResponse, Timestamp, Vertex, VertexStatus } from '../protocol/messages.js';

/** Most output of one step that is sent, in bytes. */
const maxLogLength = 2 * 2 ** 20;

const now = (): Timestamp => {
  const time = Date.now();
  return { seconds: Math.floor(time / 1000), nanos: (time % 1000) * 1_000_000 };
};

/** A unit of work of a build, as clients show it. */
export class JobVertex {
  #vertex: Vertex;
  #logLength = 0;
  readonly #statuses = new Map<string, VertexStatus>();

  constructor(
    vertex: Vertex,
    private readonly report: (item: StatusResponse) => void,
  ) {
    this.#vertex = vertex;
    this.#send({});
  }

  get digest(): string {
    return this.#vertex.digest;
  }

  get hasEnded(): boolean {
    return this.#vertex.completed !== undefined;
  }

  start(): this {
    this.#send({ started: now() });
    return this;
  }

  log(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    if (this.#logLength > maxLogLength) return;
    this.#logLength += bytes.length;
    const number = stream === 'stderr' ? 2 : 1;
    const entries = [{ vertex: this.digest, timestamp: now(), stream: number, msg: bytes }];
    if (this.#logLength > maxLogLength) {
      const note = `[output clipped, log limit ${maxLogLength / 2 ** 20}MiB reached]\n`;
      entries.push({ vertex: this.digest, timestamp: now(), stream: number, msg: Buffer.from(`\n${note}`) });
    }
    this.report({ logs: entries });
  }

  /** Progress of a part of the work. */
  status(name: string, { current = 0, total = 0, isComplete = false } = {}): void {
    const known = this.#statuses.get(name);
    const status: VertexStatus = {
      ID: name,
      vertex: this.digest,
      name,
      current,
      total,
      timestamp: now(),
      started: known?.started ?? now(),
      ...(isComplete && { completed: now() }),
    };
    this.#statuses.set(name, status);
    this.report({ statuses: [status] });
  }

  complete({ cached = false, error }: { readonly cached?: boolean; readonly error?: string } = {}): void {
    if (this.hasEnded) return;
    const started = this.#vertex.started ?? now();
    this.#send({ started, completed: now(), ...(cached && { cached }), ...(error !== undefined && { error }) });
  }

  #send(change: Partial<Vertex>): void {
    this.#vertex = { ...this.#vertex, ...change };
    this.report({ vertexes: [this.#vertex] });
  }
}
