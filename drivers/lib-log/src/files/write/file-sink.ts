import { type FileHandle, open } from 'node:fs/promises';
import type { LogBatch, LogSink } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Semaphore } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import { resumePath } from '../rotation/log-files.js';
import type { Rotation } from '../rotation/rotation.js';
import type { LineEncoder } from './line-encoder.js';
import { recover } from './recover.js';
import { type Progress, ResumeFile } from './resume-file.js';
import { compressFiles, shiftFiles } from './rotate.js';
import { acquireScratch, releaseScratch } from './scratch.js';

/** For all logs of this thread: a hung disk must not occupy all threads of Node's pool. */
const writes = new Semaphore(16);

/** What a sink needs of a `LineEncoder`. */
type Encoder = Pick<
  LineEncoder<never>,
  'encode' | 'flush' | 'malformed' | 'minimumRoom' | 'next' | 'partial' | 'written'
>;

/**
 * Writes one log. Every append is stored in the resume file first, with the size it starts at: the next open rolls back
 * an append that a crash interrupted, and does not repeat one that completed.
 */
export class FileSink implements LogSink {
  #progress: Progress;
  #size: number;
  /** Calls are sequential. */
  #turn: Promise<unknown> = Promise.resolve();
  #compression: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(
    private readonly path: string,
    private readonly rotation: Rotation,
    private readonly encoder: Encoder,
    private readonly resume: ResumeFile,
    private file: FileHandle,
    recovered: { readonly progress: Progress; readonly size: number },
  ) {
    this.#progress = recovered.progress;
    this.#size = recovered.size;
    encoder.partial = recovered.progress.partial;
    if (rotation.compress) this.#compress();
  }

  static async open(path: string, rotation: Rotation, encoder: Encoder): Promise<FileSink> {
    const resume = await ResumeFile.open(resumePath(path));
    try {
      const file = await openLog(path);
      try {
        const recovered = await recover(file, resume);
        return new FileSink(path, rotation, encoder, resume, file, recovered);
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      await resume.close();
      throw error;
    }
  }

  get dropped(): number {
    return this.encoder.malformed;
  }

  async resumeAt(): Promise<string | undefined> {
    return this.#progress.resume;
  }

  write(batch: LogBatch): Promise<void> {
    return this.#next(() => writes.run(() => this.#write(batch)));
  }

  async close(): Promise<void> {
    await this.#next(async () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      try {
        await this.#flush();
      } finally {
        await this.#compression;
        await this.file.close();
        await this.resume.close();
      }
    });
  }

  #next(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #write({ spool, resume }: LogBatch): Promise<void> {
    if (this.#isClosed) throw unavailable(`the log ${this.path} is closed`);
    const { consumed } = this.#progress;
    if (consumed >= spool.length && consumed > 0) {
      await this.#note({ resume, consumed: consumed - spool.length });
      return;
    }
    for (let at = consumed; ; ) {
      const next = await this.#writeSome(spool, at, resume);
      // Without progress the rest is an unfinished line, which a batch never has.
      if (next >= spool.length || next === at) return;
      at = next;
    }
  }

  /** Writes as much as there is room for, in memory or in the file. @returns where in the spool to continue. */
  async #writeSome(spool: Uint8Array, at: number, resume: string): Promise<number> {
    if (this.#size >= this.rotation.maxSize) await this.#rotate();
    const { encoder } = this;
    const { partial, minimumRoom } = encoder;
    const out = acquireScratch(minimumRoom);
    try {
      encoder.encode(spool, at, out, this.rotation.maxSize - this.#size);
      const { next, written } = encoder;
      if (next === at && encoder.minimumRoom > minimumRoom) return await this.#writeSome(spool, at, resume);
      const isDone = next >= spool.length || next === at;
      await this.#append(out.subarray(0, written), isDone ? { resume, consumed: 0 } : { consumed: next });
      return next;
    } catch (error) {
      encoder.partial = partial;
      throw error;
    } finally {
      releaseScratch(out);
    }
  }

  /** Partial lines are complete when the sink closes: output of the next run does not continue them. */
  async #flush(): Promise<void> {
    if (this.encoder.partial.every((line) => line === undefined)) return;
    const out = acquireScratch(this.encoder.minimumRoom);
    try {
      this.encoder.flush(out, Buffer.from(`${new Date().toISOString().slice(0, -1)}000000`));
      await this.#append(out.subarray(0, this.encoder.written), {});
    } finally {
      releaseScratch(out);
    }
  }

  /** Stores the progress without an append. */
  async #note(change: Partial<Progress>): Promise<void> {
    const next: Progress = {
      ...this.#progress,
      sizeBefore: this.#size,
      bytes: 0,
      partial: this.encoder.partial,
      ...change,
    };
    await this.#attempt(() => this.resume.write(next));
    this.#progress = next;
  }

  async #append(bytes: Buffer, change: Partial<Progress>): Promise<void> {
    const before = this.#progress;
    await this.#note({ ...change, bytes: bytes.length });
    crashPoint('log-file.announced');
    if (bytes.length === 0) return;
    try {
      await this.#attempt(() => writeAll(this.file, bytes));
    } catch (error) {
      await this.file.truncate(this.#size);
      this.#progress = { ...before, sizeBefore: this.#size, bytes: 0 };
      this.resume.takeBack();
      await this.resume.write(this.#progress);
      throw error;
    }
    this.#size += bytes.length;
    crashPoint('log-file.appended');
  }

  async #rotate(): Promise<void> {
    await this.#compression;
    await this.#attempt(() => shiftFiles(this.path, this.rotation.maxFile));
    const file = await this.#attempt(() => openLog(this.path));
    await this.file.close();
    this.file = file;
    this.#size = 0;
    const { ino: inode } = await file.stat();
    await this.#note({ inode, generation: this.#progress.generation + 1 });
    crashPoint('log-file.rotated');
    if (this.rotation.compress) this.#compress();
  }

  /** Runs in the background; the next rotation waits for it. A failure leaves the file uncompressed. */
  #compress(): void {
    this.#compression = compressFiles(this.path).catch(() => undefined);
  }

  async #attempt<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
      const reason = isFull ? 'no space left on device' : messageOf(error);
      throw unavailable(`cannot write the log ${this.path}: ${reason}`, { cause: error });
    }
  }
}

const openLog = (path: string): Promise<FileHandle> => open(path, 'a', 0o640);

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
}
