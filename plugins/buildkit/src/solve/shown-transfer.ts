import { Readable } from 'node:stream';
import type { ContextListing, ContextTransfer } from '@gantry/build/service';
import type { BuildJob } from '../jobs/build-job.js';
import { describeFailure } from '../progress/describe-failure.js';
import type { JobVertex } from '../progress/job-vertex.js';
import { type ClientDirectory, fingerprintOf } from '../sessions/client-directory.js';
import type { ClientSession } from '../sessions/client-session.js';
import type { DirectoryTransfer } from '../sessions/directory-transfer.js';
import { entryTypeOf } from '../sessions/go-file-mode.js';

export interface Client {
  readonly job: BuildJob;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

interface Selection {
  /** Of the vertex that shows it. */
  readonly name: string;
  readonly paths?: readonly string[] | undefined;
  readonly excluded: readonly string[];
}

/** The transfer of a client's directory, shown as a vertex. */
export class ShownTransfer implements ContextTransfer {
  readonly description = 'local source for context';
  readonly #vertex: JobVertex;
  readonly #transfer: DirectoryTransfer;
  #size = 0;

  constructor(
    private readonly client: Client,
    private readonly directory: ClientDirectory,
    private readonly selection: Selection,
  ) {
    this.#vertex = client.job.progress.vertex(selection.name).start();
    this.#transfer = directory.transfer({ ...selection, signal: client.signal });
  }

  get size(): number {
    return this.#size;
  }

  async list(): Promise<ContextListing> {
    try {
      const stats = await this.#transfer.list();
      this.#size = stats.reduce((sum, { size }) => sum + size, 0);
      return new Map(
        stats.map((stat) => [
          stat.path,
          { isDirectory: entryTypeOf(stat.mode) === 'directory', fingerprint: fingerprintOf(stat) },
        ]),
      );
    } catch (error) {
      this.#vertex.complete({ error: describeFailure(error) });
      throw error;
    }
  }

  archive(without: ReadonlySet<string> = new Set()): Readable {
    this.#transfer.omit(without);
    return Readable.from(this.#tar(), { objectMode: false });
  }

  async *#tar(): AsyncGenerator<Uint8Array> {
    let received = 0;
    const onProgress = (bytes: number): void => {
      if (bytes - received < 2 ** 20) return;
      received = bytes;
      this.#vertex.status('transferring context:', { current: bytes });
    };
    try {
      const options = { ...this.selection, signal: this.client.signal, onProgress };
      yield* this.directory.archive(options, this.#transfer);
      this.#vertex.status('transferring context:', { current: this.#transfer.received, isComplete: true });
      this.#vertex.complete();
    } catch (error) {
      this.#vertex.complete({ error: describeFailure(error) });
      throw error;
    }
  }
}
