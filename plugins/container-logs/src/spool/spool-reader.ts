import { readSync } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { messageOf } from '@gantry/core/errors';
import type { PumpLimits, PumpOwner } from '../pump/pump.js';
import type { BatchBuffers } from './batch-buffers.js';
import { criLine, criRecords } from './cri.js';
import { giveUp } from './spool-backlog.js';
import { findLeft, formatPosition, positionFile, timeIn } from './spool-files.js';
import { SpoolWatch } from './spool-watch.js';
import { SteadySink } from './steady-sink.js';
import { Waiting } from './waiting.js';

/** Lines that come one by one are gathered for so long, in milliseconds, which costs less than writing each. */
const gatherFor = 10;
/** Bytes that come at once from a container that is better looked at by the clock. */
const muchAtOnce = 64 * 1024;
/** How often, in milliseconds, it is looked at what a sink that does not keep up has left. */
const checkEvery = 1000;

/** A file of the spool. Only the last of a container's may still be written to. */
export interface SpoolFile {
  path: string;
  isComplete: boolean;
  /** What was not read is given up, and the file is gone. */
  isGivenUp: boolean;
}

export interface ReaderContext {
  readonly container: Pick<LogContainer, 'id' | 'directory'>;
  openSink(): Promise<LogSink>;
  readonly owner: PumpOwner;
  readonly limits: PumpLimits;
  readonly buffers: BatchBuffers;
}

/** Reads one container's spool in order into its sink. */
export class SpoolReader {
  /** Oldest first; the first is the one that is read. */
  #files: SpoolFile[] = [];
  #handle: FileHandle | undefined;
  /** How far the first file is written to the sink, and how far it is read. */
  #offset = 0;
  #readTo = 0;
  /** Of the first line of the first file. */
  #time: string | undefined;
  #lost = 0;
  /** A run is under way, so that more will come. */
  #isLive = false;
  #found: Promise<void> = Promise.resolve();
  #work: Promise<void> | undefined;
  #again = false;
  #lastWrite = 0;
  #gathering: NodeJS.Timeout | undefined;
  #nextCheck: NodeJS.Timeout | undefined;
  #rotating: Promise<void> | undefined;
  readonly #waiting = new Waiting<SpoolFile>();
  readonly #context: ReaderContext;
  readonly #stopped = new AbortController();
  readonly #watch = new SpoolWatch(() => this.#changed());
  readonly #sink: SteadySink;

  constructor(context: ReaderContext) {
    this.#context = context;
    const report = (error: unknown) => this.#report('log.sink-failed', error);
    this.#sink = new SteadySink(() => context.openSink(), this.#stopped.signal, report);
  }

  /** Nothing is left to read, and nothing comes. */
  get isDone(): boolean {
    return this.#files.length === 0 && this.#work === undefined && !this.#isLive;
  }

  /** Begins with the spool of a new run; all before it are complete. */
  add(path: string): void {
    this.finish();
    this.#isLive = true;
    this.#files.push({ path, isComplete: false, isGivenUp: false });
    this.#watch.begin(path);
    this.#start();
  }

  /** Goes on where an earlier daemon stopped. */
  resume(): void {
    this.#isLive = true;
    this.#found = this.#find();
    this.#start();
  }

  /** No more comes: what is there is written, then deleted. */
  finish(): void {
    this.#isLive = false;
    this.#watch.end();
    for (const file of this.#files) file.isComplete = true;
    this.#start();
  }

  /** Resolves when everything that is in the spool now is written; after the end, with what the sink kept until then. */
  async caughtUp(): Promise<void> {
    await this.#found;
    const file = this.#files.at(-1);
    if (file === undefined) return this.#work;
    const caughtUp = this.#waiting.until(file, await sizeOf(file));
    this.#start();
    await caughtUp;
    // An unfinished line is kept until it is finished, or nothing more can come.
    if (!this.#isLive) await this.settled();
  }

  /** Resolves when the reader has nothing to do now. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Stops at once; the spool stays, and the next daemon goes on from here. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#watch.end();
    clearTimeout(this.#gathering);
    clearTimeout(this.#nextCheck);
    await this.settled();
    await this.#letGo();
    await this.#sink.close();
    this.#tellWaiting(true);
  }

  #changed(): void {
    if (this.#work !== undefined) {
      this.#again = true;
      this.#checkBacklogSoon();
    } else if (this.#gathering === undefined) {
      const wait = this.#lastWrite + gatherFor - performance.now();
      if (wait <= 0) this.#start();
      else this.#gathering = setTimeout(() => this.#start(), wait);
    }
  }

  #start(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#stopped.signal.aborted) {
      this.#tellWaiting(true);
    } else {
      this.#again = true;
      this.#work ??= this.#run();
    }
  }

  async #run(): Promise<void> {
    try {
      await this.#found;
      while (this.#again && !this.#stopped.signal.aborted) {
        this.#again = false;
        while (await this.#step()) this.#tellWaiting(false);
        this.#tellWaiting(!this.#again);
      }
      if (this.#files.length === 0 && !this.#again) await this.#sink.close();
    } catch (error) {
      this.#report('log.spool-failed', error);
      this.#tellWaiting(true);
    } finally {
      this.#work = undefined;
    }
    if (this.#again) this.#start();
  }

  /** Moves one batch, or on to the next file. @returns false when there is nothing to do now. */
  async #step(): Promise<boolean> {
    const [file] = this.#files;
    if (file === undefined || this.#stopped.signal.aborted) return false;
    if (file.isGivenUp) return this.#nextFile(file);
    // What is complete now is complete when its end is reached; what becomes so later may grow until then.
    const { isComplete } = file;
    this.#handle ??= await open(file.path).catch(() => undefined);
    if (this.#handle === undefined) return isComplete && this.#nextFile(file);
    const buffer = this.#context.buffers.take();
    try {
      const bytesRead = await readAt(this.#handle, buffer, this.#offset);
      const length = bytesRead === 0 ? 0 : buffer.lastIndexOf(0x0a, bytesRead - 1) + 1;
      if (length === 0) return isComplete && this.#nextFile(file);
      if (!(await this.#write(buffer.subarray(0, length), file))) return false;
      if (length >= muchAtOnce) this.#watch.busy();
      // What came meanwhile waits for more, unless no more comes.
      return isComplete || bytesRead === buffer.length;
    } finally {
      this.#context.buffers.give(buffer);
    }
  }

  async #write(lines: Buffer, file: SpoolFile): Promise<boolean> {
    if (this.#offset === 0) this.#time = timeIn(lines);
    this.#readTo = this.#offset + lines.length;
    const resume = formatPosition({ time: this.#time ?? '', offset: this.#readTo });
    const spool = this.#lost > 0 ? Buffer.concat([this.#noteOfLoss(), lines]) : lines;
    if (!(await this.#sink.write({ spool, resume, records: () => criRecords(spool) }))) return false;
    this.#offset = this.#readTo;
    this.#lastWrite = performance.now();
    const { directory } = this.#context.container;
    if ((await this.#sink.resumeAt()) === undefined) await positionFile.write(directory, resume);
    if (this.#offset >= this.#context.limits.rotateAt && !file.isComplete) await this.#rotate();
    return true;
  }

  #noteOfLoss(): Uint8Array {
    const lines = this.#lost;
    this.#lost = 0;
    return criLine(this.#time ?? '', `[${lines} lines lost: the log driver did not keep up]`);
  }

  async #nextFile(file: SpoolFile): Promise<boolean> {
    await this.#letGo();
    this.#files.shift();
    this.#offset = 0;
    this.#readTo = 0;
    this.#time = undefined;
    if (!file.isGivenUp) await rm(file.path, { force: true });
    if (this.#files.length === 0) await positionFile.remove(this.#context.container.directory);
    return true;
  }

  /** Lets the runtime begin a new file, so that the old one can be deleted when it is read. */
  #rotate(): Promise<void> {
    this.#rotating ??= this.#beginFile()
      .catch((error: unknown) => this.#report('log.rotate-failed', error))
      .finally(() => {
        this.#rotating = undefined;
      });
    return this.#rotating;
  }

  async #beginFile(): Promise<void> {
    const last = this.#files.at(-1);
    if (last === undefined || last.isComplete) return;
    const moved = await this.#context.owner.rotate(this.#context.container.id);
    if (moved === undefined) return;
    const next = { path: last.path, isComplete: last.isComplete, isGivenUp: false };
    last.path = moved;
    last.isComplete = true;
    // A run that began meanwhile has added its own file behind.
    this.#files.splice(this.#files.indexOf(last) + 1, 0, next);
    if (!next.isComplete) this.#watch.begin(next.path);
    this.#again = true;
  }

  /** A driver that does not keep up must not fill the disk. */
  #checkBacklogSoon(): void {
    if (this.#context.limits.backlog === 0) return;
    this.#nextCheck ??= setTimeout(() => {
      this.#nextCheck = undefined;
      if (this.#work === undefined) return;
      this.#checkBacklog().catch((error: unknown) => this.#report('log.spool-failed', error));
    }, checkEvery);
  }

  async #checkBacklog(): Promise<void> {
    const { backlog } = this.#context.limits;
    const sizes = await Promise.all(this.#files.map(sizeOf));
    if (sizes.reduce((sum, size) => sum + size, 0) - this.#offset <= backlog) return;
    await this.#rotate();
    for (const [index, file] of this.#files.entries()) {
      if (!file.isComplete || file.isGivenUp) continue;
      this.#lost += await giveUp(file, index === 0 ? this.#readTo : 0);
      if (index === 0) await this.#letGo();
    }
    this.#report('log.lines-lost', `the log driver does not keep up: ${this.#lost} lines given up`);
  }

  async #find(): Promise<void> {
    const { directory } = this.#context.container;
    const isKnown = (path: string) => this.#files.some((file) => file.path === path);
    const left = await findLeft(directory, {
      isKnown,
      position: async () => (await this.#sink.resumeAt()) ?? positionFile.read(directory),
    });
    this.#offset = left.offset;
    this.#time = left.time;
    // A run that began meanwhile has brought its own.
    const paths = left.paths.filter((path) => !isKnown(path));
    const files = paths.map((path) => ({ path, isComplete: true, isGivenUp: false }));
    const last = files.at(-1);
    if (last !== undefined && this.#isLive && this.#files.length === 0) {
      last.isComplete = false;
      this.#watch.begin(last.path);
    }
    this.#files = [...files, ...this.#files];
  }

  async #letGo(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #tellWaiting(all: boolean): void {
    this.#waiting.tell(this.#files, this.#offset, all);
  }

  #report(event: string, reason: unknown): void {
    this.#context.owner.report(this.#context.container.id, event, messageOf(reason));
  }
}

/**
 * What was written just now is in memory. A thread that has nothing else to do gets it at once, where it works with it;
 * one that serves requests may not wait for a disk.
 */
async function readAt(handle: FileHandle, buffer: Buffer, offset: number): Promise<number> {
  if (!isMainThread) return readSync(handle.fd, buffer, 0, buffer.length, offset);
  return (await handle.read(buffer, 0, buffer.length, offset)).bytesRead;
}

const sizeOf = (file: SpoolFile): Promise<number> =>
  stat(file.path).then(
    (stats) => stats.size,
    () => 0,
  );
