import { ApiError, isAbort } from '../api/api-error';
import { followJsonLines } from '../api/follow-stream';
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

  /** @param since seconds since 1970, by the engine's clock: what happened since may be missing in what pages show. */
  start(since: number): void {
    if (this.abort !== undefined) return;
    this.abort = new AbortController();
    void this.run(since, this.abort.signal);
  }

  stop(): void {
    this.abort?.abort();
    this.abort = undefined;
    this.connection.set('connecting');
  }

  private async run(since: number, signal: AbortSignal): Promise<void> {
    let pause = firstPause;
    let isFirst = true;
    while (!signal.aborted) {
      try {
        const connected = (): void => {
          pause = firstPause;
          this.connection.set('connected');
          this.refusal.set(undefined);
          if (!isFirst) this.reconnections.set(this.reconnections.get() + 1);
          isFirst = false;
        };
        const options = { signal, connected, query: isFirst ? { since } : {} };
        await followJsonLines<EngineEvent>('/stream/events', options, (event) => this.publish(event));
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
