import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { LogBatch, LogContainer, LogSink } from '@gantry/core/contracts';
import { messageOf, unavailable } from '@gantry/core/errors';
import { LineAssembler } from './line-assembler.js';
import type { LogMessage } from './message.js';
import type { Outlet } from './outlet.js';
import { newProgress, type Progress, ProgressFile } from './progress-file.js';

/** Most messages, and most bytes of text, that are handed to an outlet at once. */
const mostMessages = 500;
const mostBytes = 256 * 1024;
/** Bytes of spool that do not wait for the interval. */
const much = 64 * 1024;
/** How long closing waits for a server, in milliseconds. */
const patience = 500;

export interface DeliveryOptions {
  /** Id of the driver, for names and messages. */
  readonly driver: string;
  /** After so many failures in a row, what could not be sent is given up. Undefined: never; it waits in the spool. */
  readonly attempts?: number;
  /** Milliseconds from one delivery to the next, at least, unless much waits: for servers that count requests. */
  readonly interval?: number;
}

/**
 * A sink in front of a server. What cannot be sent waits in the spool: `write` then rejects, and goes on where it
 * stopped when the batch comes again. Beginnings of lines whose ends have not come are kept in a file.
 */
export class DeliveringSink implements LogSink {
  /** Of the batch under way: how many of its messages are done. */
  #batch: LogBatch | undefined;
  #done = 0;
  #failures = 0;
  #dropped = 0;
  /** Given up since the last that was sent. */
  #untold = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #lastBegin = Number.NEGATIVE_INFINITY;
  /** Closing has begun; and it must end now. */
  readonly #hurry = new AbortController();
  readonly #ending = new AbortController();

  private constructor(
    private readonly outlet: Outlet,
    private readonly file: ProgressFile,
    private progress: Progress,
    private readonly options: DeliveryOptions,
  ) {}

  static async open(
    container: LogContainer,
    options: DeliveryOptions,
    outlet: (progress: Progress) => Outlet,
  ): Promise<DeliveringSink> {
    const file = new ProgressFile(container, options.driver);
    const progress = (await file.read()) ?? newProgress();
    return new DeliveringSink(outlet(progress), file, progress, options);
  }

  get dropped(): number {
    return this.#dropped;
  }

  async resumeAt(): Promise<string | undefined> {
    return this.progress.resume;
  }

  write(batch: LogBatch): Promise<void> {
    return this.#next(() => this.#write(batch));
  }

  close(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#closing ??= this.#close(options.signal);
    this.#hurry.abort();
    return this.#closing;
  }

  #next(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #close(signal: AbortSignal | undefined): Promise<void> {
    const end = () => this.#ending.abort(unavailable('the log is closed'));
    const timer = setTimeout(end, patience);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    try {
      await this.#turn;
      await this.#flush();
    } finally {
      await this.outlet.close({ signal: this.#ending.signal }).catch(() => undefined);
      if (this.progress.heldBack !== undefined) await this.#keep(this.progress).catch(() => undefined);
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  async #write(batch: LogBatch): Promise<void> {
    if (this.#closing !== undefined) throw unavailable('the log is closed');
    if (this.#batch !== batch) {
      await this.#pace(batch.spool.length);
      this.#batch = batch;
      this.#done = 0;
    }
    const assembler = new LineAssembler(this.progress.lines);
    let seen = 0;
    for (const messages of groups(assembler.messages(batch.records()))) {
      const todo = messages.slice(Math.max(0, this.#done - seen));
      seen += messages.length;
      if (todo.length > 0) await this.#send(todo);
      // The logs of other containers go through the same thread.
      await nextTurn();
      this.#done = Math.max(this.#done, seen);
    }
    await this.#keep({ ...this.progress, resume: batch.resume, lines: assembler.state });
    this.#batch = undefined;
  }

  async #pace(waiting: number): Promise<void> {
    const wait = this.#lastBegin + (this.options.interval ?? 0) - performance.now();
    if (wait > 0 && waiting < much) {
      await delay(wait, undefined, { signal: this.#hurry.signal, ref: false }).catch(() => undefined);
    }
    this.#lastBegin = performance.now();
  }

  async #send(messages: readonly LogMessage[]): Promise<void> {
    const { signal } = this.#ending;
    try {
      if (signal.aborted) throw signal.reason;
      const result = await this.outlet.send([...this.#note(messages[0]), ...messages], { signal });
      this.#failures = 0;
      this.#untold = result?.dropped ?? 0;
      this.#dropped += this.#untold;
    } catch (error) {
      if (signal.aborted || ++this.#failures < (this.options.attempts ?? Number.POSITIVE_INFINITY)) {
        throw unavailable(`${this.options.driver}: ${messageOf(error)}`, { cause: error });
      }
      this.#failures = 0;
      this.#dropped += messages.length;
      this.#untold += messages.length;
    }
  }

  /** What was given up is told in the log itself, as soon as it can be. */
  #note(next: LogMessage | undefined): LogMessage[] {
    if (this.#untold === 0 || next === undefined) return [];
    const line = Buffer.from(`[${this.#untold} lines lost: the log driver did not keep up]`);
    return [{ stream: 'stderr', time: next.time, line, partial: false, ordinal: next.ordinal - 1 }];
  }

  async #flush(): Promise<void> {
    const assembler = new LineAssembler(this.progress.lines);
    const rest = [...assembler.rest()];
    if (rest.length === 0) return;
    // Without an answer they stay in the file, for the next run of the container.
    const isSent = await this.outlet.send(rest, { signal: this.#ending.signal }).then(
      () => true,
      () => false,
    );
    if (isSent) await this.#keep({ ...this.progress, lines: assembler.state });
  }

  async #keep(progress: Progress): Promise<void> {
    try {
      const next = { ...progress, heldBack: this.outlet.heldBack?.() };
      await this.file.write(next);
      this.progress = next;
    } catch (error) {
      throw unavailable(`cannot write ${this.file.path}: ${messageOf(error)}`, { cause: error });
    }
  }
}

function* groups(messages: Iterable<LogMessage>): Generator<LogMessage[]> {
  let group: LogMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    group.push(message);
    bytes += message.line.length;
    if (group.length >= mostMessages || bytes >= mostBytes) {
      yield group;
      group = [];
      bytes = 0;
    }
  }
  if (group.length > 0) yield group;
}
