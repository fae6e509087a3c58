import { appendFile, readdir, rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

export type StreamName = 'stdout' | 'stderr';

/** A task's spool: a file in the format that monitors of real tasks write. */
export class Spool {
  /** What is being done, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  append(stream: StreamName, bytes: Uint8Array): Promise<void> {
    return this.#queue(() => appendFile(this.path, spoolRecords(stream, bytes, spoolTime())));
  }

  /** Makes the file, if there is none. */
  open(): Promise<void> {
    return this.#queue(() => appendFile(this.path, ''));
  }

  /** @returns the new name of the file until now; undefined when there is none. */
  rotate(): Promise<string | undefined> {
    return this.#queue(async () => {
      const rotated = await this.#nextName();
      try {
        await rename(this.path, rotated);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      await appendFile(this.path, '');
      return rotated;
    });
  }

  async #nextName(): Promise<string> {
    const prefix = `${basename(this.path)}.`;
    const numbers = (await readdir(dirname(this.path)))
      .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map((name) => Number(name.slice(prefix.length)));
    return `${this.path}.${Math.max(0, ...numbers) + 1}`;
  }

  /** Resolves when everything given so far is written. */
  async settled(): Promise<void> {
    await this.#work;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }
}

const newline = 0x0a;

/** One record a line; what comes after the last newline is a part that the next record goes on with. */
function spoolRecords(stream: StreamName, bytes: Uint8Array, time: string): Buffer {
  const records: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start);
    const isPart = end < 0;
    records.push(Buffer.from(`${time} ${stream} ${isPart ? 'P' : 'F'} `));
    records.push(bytes.subarray(start, isPart ? bytes.length : end), Buffer.from('\n'));
    start = isPart ? bytes.length : end + 1;
  }
  return Buffer.concat(records);
}

/** Now, with nine digits after the second. */
function spoolTime(): string {
  const microseconds = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
  const seconds = new Date(Number(microseconds / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(microseconds % 1_000_000n).padStart(6, '0')}000+00:00`;
}
