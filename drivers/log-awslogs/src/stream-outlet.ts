import type { HttpClient, LogMessage, Outlet, SendResult } from '@gantry/lib-log';
import { gatheredEvents, type LogEvent, type OpenEvent, requestsOf, singleEvents } from './events.js';
import type { LogStream } from './log-stream.js';
import type { AwsSettings } from './options.js';

/** Events to one stream. With several lines to an event, the last is held back for a while. */
export class StreamOutlet implements Outlet {
  #open: OpenEvent | undefined;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  constructor(
    private readonly stream: LogStream,
    private readonly client: HttpClient,
    private readonly settings: Pick<AwsSettings, 'beginning' | 'flushAfter' | 'mostEvents'>,
    heldBack: string | undefined,
  ) {
    this.#open = heldBack === undefined ? undefined : (JSON.parse(heldBack) as OpenEvent);
  }

  send(messages: readonly LogMessage[], { signal }: { readonly signal: AbortSignal }): Promise<SendResult> {
    return this.#next(async () => {
      const { beginning } = this.settings;
      if (beginning === undefined) return { dropped: await this.#put(singleEvents(messages), signal) };
      const { events, open } = gatheredEvents(messages, beginning, this.#open);
      const dropped = await this.#put(events, signal);
      this.#open = open;
      this.#flushLater();
      return { dropped };
    });
  }

  heldBack(): string | undefined {
    return this.#open === undefined ? undefined : JSON.stringify(this.#open);
  }

  async close({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    clearTimeout(this.#timer);
    const stop = () => this.#stopped.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#next(() => this.#flush(signal));
    } finally {
      clearTimeout(this.#timer);
      signal.removeEventListener('abort', stop);
      this.client.close();
    }
  }

  #next<R>(work: () => Promise<R>): Promise<R> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #flushLater(): void {
    clearTimeout(this.#timer);
    if (this.#open === undefined) return;
    this.#timer = setTimeout(() => {
      // What fails is held back on, and tried again.
      this.#next(() => this.#flush(this.#stopped.signal)).catch(() => this.#flushLater());
    }, this.settings.flushAfter);
    this.#timer.unref();
  }

  async #flush(signal: AbortSignal): Promise<void> {
    const open = this.#open;
    if (open === undefined || open.message === '') return;
    await this.#put([open], signal);
    this.#open = undefined;
  }

  async #put(events: readonly LogEvent[], signal: AbortSignal): Promise<number> {
    let dropped = 0;
    for (const request of requestsOf(events, this.settings.mostEvents)) {
      dropped += await this.stream.put(request, signal);
    }
    return dropped;
  }
}
