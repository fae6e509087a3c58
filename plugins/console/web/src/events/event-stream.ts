import { ApiError, isAbort } from '../api/api-error';
import { readJsonLines } from '../api/read-json-lines';
import { Store } from '../store/store';

export interface EngineEvent {
  readonly Type: string;
  readonly Action: string;
  readonly Actor: { readonly ID: string; readonly Attributes: Readonly<Record<string, string>> | null };
  readonly time: number;
  readonly timeNano: number;
}

export type Connection = 'connecting' | 'connected' | 'unreachable';

const firstPause = 500;
const longestPause = 8_000;
/** Seconds before the first connection whose events are read again: what the first page reads meanwhile may miss them. */
const overlap = 1;

/** The one stream of events that the whole application shares, with reconnection. */
class EventStream {
  readonly connection = new Store<Connection>('connecting');
  /** Why the stream is refused although the engine answers, for instance by an access list. */
  readonly refusal = new Store<string | undefined>(undefined);
  /** Grows with each connection but a first one at once: what was read before may have missed events. */
  readonly reconnections = new Store(0);
  private readonly listeners = new Set<(event: EngineEvent) => void>();
  private abort: AbortController | undefined;

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  start(): void {
    if (this.abort !== undefined) return;
    this.abort = new AbortController();
    void this.run(this.abort.signal);
  }

  stop(): void {
    this.abort?.abort();
    this.abort = undefined;
    this.connection.set('connecting');
  }

  private async run(signal: AbortSignal): Promise<void> {
    let pause = firstPause;
    let isFirst = true;
    while (!signal.aborted) {
      try {
        await readJsonLines<EngineEvent>(
          '/events',
          { signal, query: isFirst ? { since: Math.floor(Date.now() / 1000) - overlap } : {} },
          (event) => this.publish(event),
          () => {
            pause = firstPause;
            this.connection.set('connected');
            this.refusal.set(undefined);
            if (!isFirst) this.reconnections.set(this.reconnections.get() + 1);
            isFirst = false;
          },
        );
        this.connection.set('connecting');
      } catch (error) {
        isFirst = false;
        if (isAbort(error) || signal.aborted) return;
        if (error instanceof ApiError && !error.isUnreachable) {
          this.connection.set('connected');
          this.refusal.set(error.message);
        } else this.connection.set('unreachable');
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, longestPause);
    }
  }

  private publish(event: EngineEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

export const eventStream = new EventStream();
