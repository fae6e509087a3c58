import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Config, inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import type { EngineEvent, PastEvents } from '@gantry/core/plugin';
import type { EventsConfig } from './config.js';
import { historyLine, parseHistoryLine } from './event-json.js';
import { lostEvent } from './lost-event.js';

/** Owner only: events carry exec commands and labels, which may contain secrets. */
const mode = 0o600;

/** Lines buffered for a slow disk; beyond, the oldest are dropped. */
const bufferLimit = 10_000;

/** The earliest and the latest time of the events of a segment. */
interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

function widen(span: Span | undefined, time: bigint): Span {
  if (span === undefined) return { first: time, last: time };
  return { first: time < span.first ? time : span.first, last: time > span.last ? time : span.last };
}

/**
 * The durable history of events: lines appended to numbered segment files, with one write for all events of an
 * event-loop iteration. Memory holds only unwritten lines, up to a limit.
 */
@injectable()
export class EventHistory {
  #buffered: string[] = [];
  /** Lines of the write in progress, oldest first. */
  #inFlight: readonly string[] = [];
  /** Dropped events that no `events-lost` line in the history accounts for yet. */
  #lost = 0;
  /** The last scheduled write; `#next` is the same promise until that write begins. */
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #scheduled = false;
  /** The last write failed and may have left a partial line. */
  #torn = false;
  #current: { readonly number: number; bytes: number } = { number: 0, bytes: 0 };
  /** Of segments that were read once and are not appended to any more, by number. */
  readonly #spans = new Map<number, Span>();

  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Config) private readonly config: EventsConfig,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Resumes the newest segment, and terminates a line that a crash truncated. */
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

  /** Buffers the event for the next write. Never blocks, never throws. */
  append(event: EngineEvent): void {
    // Drops a batch: every splice at the front moves all remaining lines.
    if (this.#buffered.length >= bufferLimit) this.#lost += this.#buffered.splice(0, bufferLimit / 10).length;
    this.#buffered.push(historyLine(event));
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.flush());
  }

  /** Resolves when everything appended so far was passed to write(2); there is no fsync. */
  flush(): Promise<void> {
    this.#scheduled = false;
    if (this.#buffered.length === 0) return this.#writing;
    // At most one write in progress and one scheduled, which takes everything appended until it begins.
    this.#next ??= this.#writing.then(() => this.#writeBuffered());
    this.#writing = this.#next;
    return this.#next;
  }

  async #writeBuffered(): Promise<void> {
    this.#next = undefined;
    const lost = this.#lost;
    this.#inFlight = [...(lost > 0 ? [historyLine(lostEvent(lost))] : []), ...this.#buffered];
    this.#buffered = [];
    const count = this.#inFlight.length;
    const isWritten = await this.#write(this.#inFlight.join(''));
    this.#inFlight = [];
    this.#lost = isWritten ? this.#lost - lost : this.#lost + count - (lost > 0 ? 1 : 0);
  }

  /**
   * Yields the events within `since`..`until`, both inclusive, in nanoseconds, in the order they were appended. Does not
   * wait for writes: unwritten events are read from memory.
   */
  async *read(since: bigint, until: bigint | undefined): AsyncIterable<EngineEvent> {
    const isWanted = ({ timeNano }: EngineEvent): boolean =>
      timeNano >= since && (until === undefined || timeNano <= until);
    const unwritten = new Set([...this.#inFlight, ...this.#buffered].map((line) => line.slice(0, -1)));
    for (const number of await this.#segments()) {
      const known = this.#spans.get(number);
      if (known !== undefined && (known.last < since || (until !== undefined && known.first > until))) continue;
      const isComplete = number < this.#current.number;
      const text = await readFile(this.#file(number), 'utf8').catch(() => '');
      let span: Span | undefined;
      for (const line of text.split('\n')) {
        unwritten.delete(line);
        const event = line === '' ? undefined : parseHistoryLine(line);
        if (event === undefined) continue;
        span = widen(span, event.timeNano);
        // Neither bound ends the search: after the clock was set back, times in the file are not monotonic.
        if (isWanted(event)) yield event;
      }
      if (isComplete && span !== undefined) this.#spans.set(number, span);
    }
    for (const line of unwritten) {
      const event = parseHistoryLine(line);
      if (event !== undefined && isWanted(event)) yield event;
    }
  }

  /** The events of the two newest segments: a crash loses only the most recent events. */
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
      if (this.#current.bytes >= this.config.segmentBytes) await this.#rotate();
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
      this.log.error({ event: 'events.write-failed', error }, 'failed to write events to the history');
      return false;
    }
  }

  async #rotate(): Promise<void> {
    this.#current = { number: this.#current.number + 1, bytes: 0 };
    for (const number of await this.#segments()) {
      if (number > this.#current.number - this.config.segments) continue;
      await rm(this.#file(number), { force: true });
      this.#spans.delete(number);
    }
  }

  async #segments(): Promise<readonly number[]> {
    const names = await readdir(this.directories.root);
    return names
      .map((name) => /^events-(\d+)\.jsonl$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }

  #file(number: number): string {
    return path.join(this.directories.root, `events-${number}.jsonl`);
  }
}
