import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EngineEvent, PastEvents } from '@gantry/core/plugin';
import { historyLine, parseHistoryLine } from './wire.js';

export interface HistoryOptions {
  readonly directory: string;
  /** Bytes after which a new segment begins. */
  readonly segmentBytes: number;
  /** Older ones are deleted. */
  readonly segments: number;
  /** Told of events that could not be written. */
  readonly onFault: (error: unknown) => void;
  /** What stands for events that are not kept. */
  readonly lost: (events: number) => EngineEvent;
  /** Events that wait for a disk that takes its time; of more the oldest are given up. */
  readonly waitingLimit?: number;
}

/** Commands of execs and labels are in it, and secrets may be in those. */
const mode = 0o600;

/**
 * What happened, kept over restarts: lines appended to numbered segment files, one write for all events of a turn of
 * the event loop. Memory holds nothing but what is on its way to the disk, and that is bounded.
 */
export class EventHistory {
  #waiting: string[] = [];
  /** On their way to the disk, the oldest first. */
  #inFlight: readonly string[] = [];
  /** Of those that are not kept, how many the history does not tell of yet. */
  #lost = 0;
  /** The last write that was asked for; and the same as long as it has not begun. */
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #scheduled = false;
  /** The last write may have ended in the middle of a line. */
  #torn = false;
  #current: { readonly number: number; bytes: number } = { number: 0, bytes: 0 };

  constructor(private readonly options: HistoryOptions) {}

  /** Goes on in the newest segment. A line torn by a crash is closed off. */
  async start(): Promise<void> {
    const number = (await this.#segments()).at(-1) ?? 1;
    const file = await open(this.#file(number), 'a+', mode);
    try {
      await file.chmod(mode);
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      if (size > 0 && last[0] !== 0x0a) await file.appendFile('\n');
      this.#current = { number, bytes: size };
    } finally {
      await file.close();
    }
  }

  /** Never waits and never throws. */
  append(event: EngineEvent): void {
    const { waitingLimit = 10_000 } = this.options;
    // Some at once, since each time all others move up.
    if (this.#waiting.length >= waitingLimit)
      this.#lost += this.#waiting.splice(0, Math.ceil(waitingLimit / 10)).length;
    this.#waiting.push(historyLine(event));
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.flush());
  }

  /** Resolves when everything appended so far is with the kernel. */
  flush(): Promise<void> {
    this.#scheduled = false;
    if (this.#waiting.length === 0) return this.#writing;
    // One write is made and one waits; what comes meanwhile goes with that.
    this.#next ??= this.#writing.then(() => this.#writeWaiting());
    this.#writing = this.#next;
    return this.#next;
  }

  async #writeWaiting(): Promise<void> {
    this.#next = undefined;
    const lost = this.#lost;
    this.#inFlight = [...(lost > 0 ? [historyLine(this.options.lost(lost))] : []), ...this.#waiting];
    this.#waiting = [];
    const count = this.#inFlight.length;
    const isWritten = await this.#write(this.#inFlight.join(''));
    this.#inFlight = [];
    this.#lost = isWritten ? this.#lost - lost : this.#lost + count - (lost > 0 ? 1 : 0);
  }

  /**
   * Events within `since`..`until`, both inclusive, in nanoseconds; oldest first, segment by segment. Waits for no
   * write: what is not on the disk yet comes from memory.
   */
  async *read(since: bigint, until: bigint | undefined): AsyncIterable<EngineEvent> {
    for await (const line of this.#lines()) {
      const event = line === '' ? undefined : parseHistoryLine(line);
      // Neither bound ends the search: a clock that was set back leaves later times in front of earlier ones.
      if (event === undefined || event.timeNano < since) continue;
      if (until === undefined || event.timeNano <= until) yield event;
    }
  }

  async *#lines(): AsyncIterable<string> {
    const unwritten = new Set([...this.#inFlight, ...this.#waiting].map((line) => line.slice(0, -1)));
    for (const number of await this.#segments()) {
      const text = await readFile(this.#file(number), 'utf8').catch(() => '');
      for (const line of text.split('\n')) {
        unwritten.delete(line);
        yield line;
      }
    }
    yield* unwritten;
  }

  /** What the two newest segments hold. A crash costs what was published last, so that is where something may miss. */
  async newest(): Promise<PastEvents> {
    await this.flush();
    const all = await this.#segments();
    const newest = all.slice(-2);
    const texts = await Promise.all(newest.map((number) => readFile(this.#file(number), 'utf8').catch(() => '')));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    return { events: lines.flatMap((line) => parseHistoryLine(line) ?? []), isAll: newest.length === all.length };
  }

  async #write(text: string): Promise<boolean> {
    try {
      if (this.#current.bytes >= this.options.segmentBytes) await this.#rotate();
      const file = await open(this.#file(this.#current.number), 'a', mode);
      try {
        await file.appendFile(this.#torn ? `\n${text}` : text);
      } finally {
        await file.close();
      }
      this.#torn = false;
      this.#current.bytes += Buffer.byteLength(text);
      return true;
    } catch (error) {
      this.#torn = true;
      this.options.onFault(error);
      return false;
    }
  }

  async #rotate(): Promise<void> {
    this.#current = { number: this.#current.number + 1, bytes: 0 };
    for (const number of await this.#segments()) {
      if (number <= this.#current.number - this.options.segments) await rm(this.#file(number), { force: true });
    }
  }

  async #segments(): Promise<readonly number[]> {
    const names = await readdir(this.options.directory);
    return names
      .map((name) => /^events-(\d+)\.jsonl$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }

  #file(number: number): string {
    return path.join(this.options.directory, `events-${number}.jsonl`);
  }
}
