import { type FileHandle, rm } from 'node:fs/promises';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { settlesWithin } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { PumpLimits, PumpOwner } from '../pump.js';
import type { BatchBuffers } from './batch-buffers.js';
import { CatchUpWaiters } from './catch-up-waiters.js';
import { criLine, criRecords } from './cri-lines.js';
import { discardSpool } from './discard-spool.js';
import { RetryingSink } from './retrying-sink.js';
import { openIfPresent, readAt, type SpoolFile, sizeOf } from './spool-file.js';
import { findPending, formatPosition, positionFile, timeIn } from './spool-files.js';
import { SpoolWatch } from './spool-watch.js';

/** Milliseconds for which single lines are batched, which costs less than writing each. */
const batchDelay = 10;
/** Bytes in one batch from which output counts as high-throughput. */
const highThroughput = 64 * 1024;
/** Milliseconds between checks of the backlog of a slow sink. */
const backlogInterval = 1000;
/** Milliseconds that a batch in progress has to be written before its sink is closed. */
const releaseTimeout = 5000;
/** Milliseconds until a spool that could not be read is read again. */
const retryInterval = 1000;

interface ReaderContext {
  readonly container: Pick<LogContainer, 'id' | 'directory'>;
  openSink(): Promise<LogSink>;
  readonly owner: Pick<PumpOwner, 'rotate' | 'report'>;
  readonly limits: PumpLimits;
  readonly buffers: BatchBuffers;
}

/** Reads one container's spool, in order, into its sink. */
export class SpoolReader {
  /** Oldest first; the first is the one being read. */
  #files: SpoolFile[] = [];
  #handle: FileHandle | undefined;
  /** How far the first file is written to the sink, and how far it is read. */
  #offset = 0;
  #readTo = 0;
  /** Of the first line of the first file. */
  #time: string | undefined;
  #droppedLines = 0;
  /** A run is in progress, so that more will come. */
  #isLive = false;
  #isReleasing = false;
  /** An earlier daemon may have left files, which are found before anything is read. */
  #isResumed = false;
  #found: Promise<void> | undefined;
  #work: Promise<void> | undefined;
  #hasChanged = false;
  #lastWrite = 0;
  #batchTimer: NodeJS.Timeout | undefined;
  #backlogTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #rotating: Promise<void> | undefined;
  readonly #waiters = new CatchUpWaiters<SpoolFile>();
  readonly #context: ReaderContext;
  readonly #stopped = new AbortController();
  readonly #watch = new SpoolWatch(() => this.#onChange());
  readonly #sink: RetryingSink;

  constructor(context: ReaderContext) {
    this.#context = context;
    const report = (error: unknown) => this.#report('log.sink-failed', error);
    this.#sink = new RetryingSink(() => context.openSink(), this.#stopped.signal, report);
  }

  /** Everything is consumed, and no more will come. */
  get isDone(): boolean {
    return this.#files.length === 0 && this.#work === undefined && !this.#isLive;
  }

  /** Starts with the spool of a new run; all previous ones are complete. */
  add(path: string): void {
    this.finish();
    this.#isLive = true;
    this.#files.push({ path, state: 'growing' });
    this.#watch.start(path);
    this.#start();
  }

  /** Continues where an earlier daemon stopped. */
  resume(): void {
    this.#isLive = true;
    this.#isResumed = true;
    this.#start();
  }

  /** No more will come: the rest is written, then the files are deleted. */
  finish(): void {
    this.#isLive = false;
    this.#watch.stop();
    for (const file of this.#files) if (file.state === 'growing') file.state = 'complete';
    this.#start();
  }

  /** Resolves when everything that is in the spool now is written; after the run, when the sink is closed, too. */
  async caughtUp(): Promise<void> {
    await this.#pendingFound();
    const file = this.#files.at(-1);
    if (file === undefined) return this.#work;
    const caughtUp = this.#waiters.until(file, await sizeOf(file));
    this.#start();
    await caughtUp;
    // The sink keeps an unfinished line until the line is complete or the sink is closed.
    if (!this.#isLive) await this.settled();
  }

  /** Resolves when there is nothing to do at the moment. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Stops once the batch in progress is written, for the next reader to continue after it; one that hangs is not waited for. */
  async release(): Promise<void> {
    this.#isReleasing = true;
    await settlesWithin(this.settled(), releaseTimeout);
    await this.stop();
  }

  /** Stops immediately; the spool stays, and the next daemon continues from here. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#watch.stop();
    clearTimeout(this.#batchTimer);
    clearTimeout(this.#backlogTimer);
    clearTimeout(this.#retryTimer);
    await this.settled();
    await this.#closeFile();
    await this.#sink.close();
    this.#waiters.resolveAll();
  }

  #onChange(): void {
    if (this.#work !== undefined) {
      this.#hasChanged = true;
      this.#scheduleBacklogCheck();
    } else if (this.#batchTimer === undefined) {
      const wait = this.#lastWrite + batchDelay - performance.now();
      if (wait <= 0) this.#start();
      else this.#batchTimer = setTimeout(() => this.#start(), wait);
    }
  }

  #start(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    if (this.#stopped.signal.aborted || this.#isReleasing) {
      this.#waiters.resolveAll();
    } else {
      this.#hasChanged = true;
      this.#work ??= this.#run();
    }
  }

  async #run(): Promise<void> {
    try {
      await this.#pendingFound();
      while (this.#hasChanged && !this.#stopped.signal.aborted) {
        this.#hasChanged = false;
        while (await this.#step()) this.#waiters.update(this.#files, this.#offset);
        if (this.#hasChanged) this.#waiters.update(this.#files, this.#offset);
        else this.#waiters.resolveAll();
      }
      if (this.#files.length === 0 && !this.#hasChanged) await this.#sink.close();
    } catch (error) {
      // Those who wait are not answered as if everything were stored: they notice the stall.
      this.#hasChanged = false; // tried again below, not at once
      this.#report('log.spool-failed', error);
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = undefined;
        this.#start();
      }, retryInterval).unref();
    } finally {
      this.#work = undefined;
    }
    if (this.#hasChanged) this.#start();
  }

  /** Moves one batch, or on to the next file. @returns false when there is nothing to do at the moment. */
  async #step(): Promise<boolean> {
    const [file] = this.#files;
    if (file === undefined || this.#isReleasing || this.#stopped.signal.aborted) return false;
    if (file.state === 'discarded') return this.#nextFile(file);
    // Read before the file: one that becomes complete during this step may have grown until then.
    const isComplete = file.state === 'complete';
    this.#handle ??= await openIfPresent(file.path);
    if (this.#handle === undefined) return isComplete && this.#nextFile(file);
    const buffer = this.#context.buffers.acquire();
    try {
      const bytesRead = await readAt(this.#handle, buffer, this.#offset);
      const length = bytesRead === 0 ? 0 : buffer.lastIndexOf(0x0a, bytesRead - 1) + 1;
      if (length === 0) return isComplete && this.#nextFile(file);
      if (!(await this.#write(buffer.subarray(0, length), file))) return false;
      if (length >= highThroughput) this.#watch.busy();
      // Lines that came meanwhile are batched, unless no more will come.
      return isComplete || bytesRead === buffer.length;
    } finally {
      this.#context.buffers.release(buffer);
    }
  }

  async #write(lines: Buffer, file: SpoolFile): Promise<boolean> {
    if (this.#offset === 0) this.#time = timeIn(lines);
    this.#readTo = this.#offset + lines.length;
    const resume = formatPosition({ time: this.#time ?? '', offset: this.#readTo });
    const spool = this.#droppedLines > 0 ? Buffer.concat([this.#gapNotice(), lines]) : lines;
    if (!(await this.#sink.write({ spool, resume, records: () => criRecords(spool) }))) return false;
    this.#offset = this.#readTo;
    this.#lastWrite = performance.now();
    const { directory } = this.#context.container;
    if ((await this.#sink.resumeAt()) === undefined) await positionFile.write(directory, resume);
    if (this.#offset >= this.#context.limits.rotateAt && file.state === 'growing') await this.#rotate();
    return true;
  }

  #gapNotice(): Uint8Array {
    const lines = this.#droppedLines;
    this.#droppedLines = 0;
    return criLine(this.#time ?? '', `[${lines} lines lost: the log driver did not keep up]`);
  }

  async #nextFile(file: SpoolFile): Promise<boolean> {
    await this.#closeFile();
    this.#files.shift();
    this.#offset = 0;
    this.#readTo = 0;
    this.#time = undefined;
    if (file.state !== 'discarded') await rm(file.path, { force: true });
    if (this.#files.length === 0) await positionFile.remove(this.#context.container.directory);
    return true;
  }

  /** Has the runtime start a new file, so that the old one can be deleted once it is consumed. */
  #rotate(): Promise<void> {
    this.#rotating ??= this.#startFile()
      .catch((error: unknown) => this.#report('log.rotate-failed', error))
      .finally(() => {
        this.#rotating = undefined;
      });
    return this.#rotating;
  }

  async #startFile(): Promise<void> {
    const last = this.#files.at(-1);
    if (last?.state !== 'growing') return;
    const moved = await this.#context.owner.rotate(this.#context.container.id);
    if (moved === undefined) return;
    const next: SpoolFile = { path: last.path, state: last.state };
    last.path = moved;
    last.state = 'complete';
    // A run that started meanwhile has added its own file at the end.
    this.#files.splice(this.#files.indexOf(last) + 1, 0, next);
    if (next.state === 'growing') this.#watch.start(next.path);
    this.#hasChanged = true;
  }

  /** A slow driver must not fill the disk. */
  #scheduleBacklogCheck(): void {
    if (this.#context.limits.backlog === 0) return;
    this.#backlogTimer ??= setTimeout(() => {
      this.#backlogTimer = undefined;
      if (this.#work === undefined) return;
      this.#limitBacklog().catch((error: unknown) => this.#report('log.spool-failed', error));
    }, backlogInterval);
  }

  async #limitBacklog(): Promise<void> {
    const { backlog } = this.#context.limits;
    const sizes = await Promise.all(this.#files.map(sizeOf));
    if (sizes.reduce((sum, size) => sum + size, 0) - this.#offset <= backlog) return;
    await this.#rotate();
    for (const [index, file] of this.#files.entries()) {
      if (file.state !== 'complete') continue;
      file.state = 'discarded';
      this.#droppedLines += await discardSpool(file.path, index === 0 ? this.#readTo : 0);
      if (index === 0) await this.#closeFile();
    }
    this.#report('log.lines-lost', `the log driver does not keep up: ${this.#droppedLines} lines dropped`);
  }

  /** Found once; what cannot be read at the moment is looked for again. */
  #pendingFound(): Promise<void> {
    if (!this.#isResumed) return Promise.resolve();
    this.#found ??= this.#findPending().catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    });
    return this.#found;
  }

  async #findPending(): Promise<void> {
    const { directory } = this.#context.container;
    const isKnown = (path: string) => this.#files.some((file) => file.path === path);
    const pending = await findPending(directory, {
      isKnown,
      position: async () => (await this.#sink.resumeAt()) ?? positionFile.read(directory),
    });
    this.#offset = pending.offset;
    this.#time = pending.time;
    // A run that started meanwhile has added its own file.
    const paths = pending.paths.filter((path) => !isKnown(path));
    const files = paths.map((path): SpoolFile => ({ path, state: 'complete' }));
    const last = files.at(-1);
    if (last !== undefined && this.#isLive && this.#files.length === 0) {
      last.state = 'growing';
      this.#watch.start(last.path);
    }
    this.#files = [...files, ...this.#files];
  }

  async #closeFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #report(event: string, reason: unknown): void {
    this.#context.owner.report(this.#context.container.id, event, messageOf(reason));
  }
}
