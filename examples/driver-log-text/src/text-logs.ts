import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { LogBatch, LogContainer, LogDriver, LogRecord, LogSink } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { invalidArgument, unavailable } from '@gantry/core/errors';

/** One file of plain text for each container; the option `times=true` puts the time before each line. */
@injectable()
export class TextLogs implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  validate({ times = 'false', ...unknown }: Readonly<Record<string, string>>): void {
    const [option] = Object.keys(unknown);
    if (option !== undefined) throw invalidArgument(`unknown log opt "${option}" for text log driver; there is: times`);
    if (!['true', 'false'].includes(times))
      throw invalidArgument(`log opt times: "${times}" is neither true nor false`);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const file = await open(this.path(container), 'a', 0o640);
    return new TextSink(file, container.options.times === 'true');
  }

  path = ({ directory }: LogContainer): string => path.join(directory, 'output.txt');

  remove = (container: LogContainer): Promise<void> => rm(this.path(container), { force: true });
}

class TextSink implements LogSink {
  readonly dropped = 0;
  #isClosed = false;
  #isMidLine = false;

  constructor(
    private readonly file: FileHandle,
    private readonly times: boolean,
  ) {}

  async write(batch: LogBatch): Promise<void> {
    if (this.#isClosed) throw unavailable('the log is closed');
    const parts = [...batch.records()].flatMap((record) => this.#textOf(record));
    try {
      await this.file.appendFile(Buffer.concat(parts));
      await this.file.datasync();
    } catch (cause) {
      throw unavailable('the log cannot be written', { cause });
    }
  }

  /** Positions are not stored, so after a crash the last batch may be written twice. */
  async resumeAt(): Promise<undefined> {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.file.close();
  }

  #textOf({ line, partial, time }: LogRecord): Uint8Array[] {
    const isStart = !this.#isMidLine;
    this.#isMidLine = partial;
    const stamp = this.times && isStart ? [Buffer.from(`${new Date(Number(time / 1_000_000n)).toISOString()} `)] : [];
    return [...stamp, line, ...(partial ? [] : [Buffer.from('\n')])];
  }
}
