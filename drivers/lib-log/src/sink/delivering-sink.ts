import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { LogBatch, LogContainer, LogSink } from '@gantry/core/contracts';
import { messageOf, unavailable } from '@gantry/core/errors';
import { LineAssembler } from './line-assembler.js';
import type { LogMessage } from './message.js';
import type { Outlet } from './outlet.js';
import { newProgress, type Progress, ProgressFile } from './progress-file.js';

/** The most messages, and bytes of text, that are passed to an outlet in one call. */
const maxMessages = 500;
const maxBytes = 256 * 1024;
/** Bytes of spool that are delivered without waiting for the interval. */
const urgentBytes = 64 * 1024;
/** Milliseconds that closing waits for a server. */
const closeTimeout = 500;

export interface DeliveryOptions {
  /** Id of the driver, for names and messages. */
  readonly driver: string;
  /** Consecutive failures after which messages are dropped. Undefined: never; they wait in the spool. */
  readonly attempts?: number;
  /** The least milliseconds between deliveries, unless much is waiting: for servers that limit requests. */
  readonly interval?: number;
}

/**
 * A sink that delivers to a server. What cannot be sent waits in the spool: `write` then rejects, and continues where
 * it stopped when the batch is retried. Partial lines are kept in a file.
 */
export class DeliveringSink implements LogSink {
  /** The batch in progress, and how many of its messages are delivered. */
  #batch: LogBatch | undefined;
  #done = 0;
  #failures = 0;
  #dropped = 0;
  /** Dropped since the last delivery, not reported in the log yet. */
  #unreportedDrops = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #lastDelivery = Number.NEGATIVE_INFINITY;
  /** Aborts when closing starts, and when it must end. */
  readonly #closeStarted = new AbortController();
  readonly #closeDeadline = new AbortController();

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
    this.#closeStarted.abort();
    return this.#closing;
  }

  #next(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #close(signal: AbortSignal | undefined): Promise<void> {
    const end = () => this.#closeDeadline.abort(unavailable('the log is closed'));
    const timer = setTimeout(end, closeTimeout);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    try {
      await this.#turn;
      await this.#flush();
    } finally {
      await this.outlet.close({ signal: this.#closeDeadline.signal }).catch(() => undefined);
      if (this.progress.heldBack !== undefined) await this.#store(this.progress).catch(() => undefined);
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
      // Other containers' logs are delivered by the same thread.
      await nextTurn();
      this.#done = Math.max(this.#done, seen);
    }
    await this.#store({ ...this.progress, resume: batch.resume, lines: assembler.state });
    this.#batch = undefined;
  }

  async #pace(waiting: number): Promise<void> {
    const wait = this.#lastDelivery + (this.options.interval ?? 0) - performance.now();
    if (wait > 0 && waiting < urgentBytes) {
      await delay(wait, undefined, { signal: this.#closeStarted.signal, ref: false }).catch(() => undefined);
    }
    this.#lastDelivery = performance.now();
  }

  async #send(messages: readonly LogMessage[]): Promise<void> {
    const { signal } = this.#closeDeadline;
    try {
      if (signal.aborted) throw signal.reason;
      const result = await this.outlet.send([...this.#gapNotice(messages[0]), ...messages], { signal });
      this.#failures = 0;
      this.#unreportedDrops = result?.dropped ?? 0;
      this.#dropped += this.#unreportedDrops;
    } catch (error) {
      if (signal.aborted || ++this.#failures < (this.options.attempts ?? Number.POSITIVE_INFINITY)) {
        throw unavailable(`${this.options.driver}: ${messageOf(error)}`, { cause: error });
      }
      this.#failures = 0;
      this.#dropped += messages.length;
      this.#unreportedDrops += messages.length;
    }
  }

  /** Reports dropped lines in the log itself with the next delivery. */
  #gapNotice(next: LogMessage | undefined): LogMessage[] {
    if (this.#unreportedDrops === 0 || next === undefined) return [];
    const line = Buffer.from(`[${this.#unreportedDrops} lines lost: the log driver did not keep up]`);
    return [{ stream: 'stderr', time: next.time, line, partial: false, ordinal: next.ordinal - 1 }];
  }

  async #flush(): Promise<void> {
    const assembler = new LineAssembler(this.progress.lines);
    const rest = [...assembler.rest()];
    if (rest.length === 0) return;
    // Without a response they stay in the file for the next run of the container.
    const isSent = await this.outlet.send(rest, { signal: this.#closeDeadline.signal }).then(
      () => true,
      () => false,
    );
    if (isSent) await this.#store({ ...this.progress, lines: assembler.state });
  }

  async #store(progress: Progress): Promise<void> {
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
    if (group.length >= maxMessages || bytes >= maxBytes) {
      yield group;
      group = [];
      bytes = 0;
    }
  }
  if (group.length > 0) yield group;
}
