import { inject, injectable, systemTimer } from '@gantry/core/driver';
import { type EngineEvent, EngineEvents } from '@gantry/core/plugin';
import { FanOut } from '@gantry/core/streams';
import { EventHistory } from './event-history.js';
import { type EventFilters, eventMatcher } from './event-matcher.js';
import { isLostEvent, lostEvent } from './lost-event.js';
import type { EventReaders } from './service.js';

export interface EventQuery {
  readonly filters: EventFilters;
  /** Nanoseconds, inclusive; the stream replays the history from then on before it follows. */
  readonly since?: bigint;
  /** Nanoseconds, inclusive; the stream ends then. */
  readonly until?: bigint;
  readonly signal: AbortSignal;
}

/** Events queued for one reader; beyond, the reader receives an `events-lost` event instead of the dropped ones. */
const queueLimit = 4096;

/** Replays and follows events for any number of readers. A slow reader delays no other. */
@injectable()
export class EventService implements EventReaders {
  readonly #live = new FanOut<EngineEvent>();

  constructor(
    @inject(EventHistory) private readonly history: EventHistory,
    @inject(EngineEvents) private readonly events: EngineEvents,
  ) {}

  /** Subscribes to the bus; the history must have been started. */
  start(): void {
    this.events.subscribe((event) => {
      this.history.append(event);
      this.#live.push(event);
    });
  }

  get readers(): number {
    return this.#live.readers;
  }

  /**
   * Streams the events that match the query, each once and in order. The subscription exists when this returns: events
   * published later are in the stream. Ends at `until` or at abort, without rejecting.
   */
  stream({ filters, since, until, signal }: EventQuery): AsyncIterable<EngineEvent> {
    const wanted = eventMatcher(filters);
    const live = this.#live.subscribe({
      limit: queueLimit,
      sizeOf: () => 1,
      lost: ({ items }) => lostEvent(items),
    });
    const leave = (): void => live.cancel();
    signal.addEventListener('abort', leave, { once: true });
    // A query with `until` alone replays the whole history.
    const from = since ?? (until === undefined ? undefined : 0n);
    const history = from === undefined ? undefined : this.history.read(from, until);
    // Ends the input only: events queued by then are still delivered.
    const cancelEnd = until === undefined ? undefined : systemTimer.after(millisecondsUntil(until), () => live.end());
    const past = until !== undefined && millisecondsUntil(until) <= 0;
    return (async function* () {
      let last = 0n;
      try {
        for await (const event of history ?? []) {
          if (signal.aborted) return;
          last = event.timeNano;
          if (isLostEvent(event) || wanted(event)) yield event;
        }
        if (past) return;
        for await (const event of live) {
          if (!isLostEvent(event) && event.timeNano <= last) continue;
          if (until !== undefined && event.timeNano > until) return;
          if (isLostEvent(event) || wanted(event)) yield event;
        }
      } finally {
        cancelEnd?.();
        signal.removeEventListener('abort', leave);
        leave();
      }
    })();
  }
}

const millisecondsUntil = (time: bigint): number => Math.max(0, Number(time / 1_000_000n) - Date.now());
