import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogBatch, LogContainer, LogDriver, LogQuery, LogRecord, LogSink } from '@gantry/core/contracts';
import { notFound, unavailable } from '@gantry/core/errors';
import { criRecords } from '../spool/cri-lines.js';

/** A log driver that stores the spool lines in one file. */
export class FakeLog implements LogDriver {
  readonly capabilities = { read: true, worker: false, discards: false };
  /** Writes that are refused before one succeeds. */
  refusals = 0;
  /** Milliseconds that each write takes. */
  writeDelay = 0;
  /** Whether sinks store the position. */
  keepsPosition = false;
  readonly positions = new Map<string, string>();
  /** Batches written, over all containers. */
  batches = 0;

  validate(): void {}

  async open(container: LogContainer): Promise<LogSink> {
    await mkdir(container.directory, { recursive: true });
    return {
      dropped: 0,
      write: (batch) => this.#write(container, batch),
      resumeAt: async () => (this.keepsPosition ? this.positions.get(container.id) : undefined),
      close: async () => undefined,
    };
  }

  async *read(container: LogContainer, { stdout, stderr, tail, follow, ended }: LogQuery) {
    if (follow) await ended;
    const bytes = await readFile(this.path(container)).catch(() => {
      throw notFound('nothing was written');
    });
    const records = [...criRecords(bytes)].filter(({ stream }) => (stream === 'stdout' ? stdout : stderr));
    yield { records: (): Iterable<LogRecord> => (tail === undefined ? records : records.slice(records.length - tail)) };
  }

  path(container: Pick<LogContainer, 'directory'>): string {
    return path.join(container.directory, 'fake.log');
  }

  async remove(container: LogContainer): Promise<void> {
    await rm(this.path(container), { force: true });
  }

  async #write(container: LogContainer, batch: LogBatch): Promise<void> {
    if (this.refusals > 0) {
      this.refusals--;
      throw unavailable('the server does not respond');
    }
    if (this.writeDelay > 0) await delay(this.writeDelay);
    this.batches++;
    await appendFile(this.path(container), batch.spool);
    this.positions.set(container.id, batch.resume);
  }
}
