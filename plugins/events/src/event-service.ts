import type { EngineEvent, EngineEvents } from '@gantry/core/plugin';
import { FanOut } from '@gantry/core/streams';
import { type EventFilters, eventMatcher } from './filter.js';
import type { EventHistory } from './history.js';
import { isLostEvent, lostEvent } from './lost-event.js';

export interface EventQuery {
  readonly filters: EventFilters;
  /** Nanoseconds; events from then on come first, from the history. */
  readonly since?: bigint;
  /** Nanoseconds; the stream ends then. */
  readonly until?: bigint;
  readonly signal: AbortSignal;
}

/** How many events wait for one reader before it is told that it lost some. */
const queueLimit = 4096;

/** Events as they happen and as they happened, for any number of readers, slow ones included. */
export class EventService {
  readonly #live = new FanOut<EngineEvent>();

  constructor(
    private readonly history: EventHistory,
    events: EngineEvents,
    private readonly hostname: string,
  ) {
    events.subscribe((event) => {
      this.history.append(event);
      this.#live.push(event);
    });
  }

  /** Readers that listen now. */
  get readers(): number {
    return this.#live.readers;
  }

  /**
   * Events that the query wants, each once and in order. The subscription stands when this returns: what happens later
   * is in the stream. Ends at `until` or at abort, without rejecting.
   */
  stream({ filters, since, until, signal }: EventQuery): AsyncIterable<EngineEvent> {
    const wanted = eventMatcher(filters);
    const live = this.#live.subscribe({
      limit: queueLimit,
      sizeOf: () => 1,
      lost: ({ items }) => lostEvent(this.hostname, items),
    });
    const leave = (): void => live.cancel();
    signal.addEventListener('abort', leave, { once: true });
    // A query that only says when to stop is about the past too.
    const from = since ?? (until === undefined ? undefined : 0n);
    const history = from === undefined ? undefined : this.history.read(from, until);
    // What waits for the reader by then happened before: it still gets that.
    const timer = until === undefined ? undefined : setTimeout(() => live.end(), millisecondsUntil(until));
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
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        leave();
      }
    })();
  }
}

const millisecondsUntil = (time: bigint): number =>
  Math.min(Math.max(0, Number(time / 1_000_000n) - Date.now()), 2 ** 31 - 1);
