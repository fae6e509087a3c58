/** Spec: Events. Something that happened to one object, published after it is durable. */
export interface EngineEvent {
  readonly type: EventType;
  /** Such as `create`, `die`, `exec_create: true`. */
  readonly action: string;
  readonly actor: { readonly id: string; readonly attributes: Readonly<Record<string, string>> };
  /** The image name, on container events: the field `from`. */
  readonly from?: string;
  /** What happened to an object of the whole swarm, and not only of this engine. Default: `local`. */
  readonly scope?: 'local' | 'swarm';
  /** Nanoseconds since the epoch; strictly increasing on one engine. */
  readonly timeNano: bigint;
}

export type EventType =
  | 'container'
  | 'image'
  | 'volume'
  | 'network'
  | 'daemon'
  | 'plugin'
  | 'builder'
  | 'node'
  | 'service'
  | 'secret'
  | 'config';

export type NewEvent = Omit<EngineEvent, 'timeNano'>;

/** The typed event bus. Listeners are called in order of subscription, synchronously; they must not throw or block. */
export interface EngineEvents {
  /** Stamps the event and passes it to the listeners. */
  publish(event: NewEvent): EngineEvent;
  /** @returns ends the subscription. */
  subscribe(listener: (event: EngineEvent) => void): () => void;
  readonly listenerCount: number;
  /** Offers what was published before, by earlier daemons too. One package does. @returns ends it. */
  keepPast(read: ReadPast): () => void;
  /** The newest of what was published; undefined when no package keeps it. */
  past(): Promise<PastEvents | undefined>;
}

/** Injects the event bus of the engine. */
export const EngineEvents = Symbol.for('gantry.engine-events');

/** The newest events of one engine, over restarts. */
export interface PastEvents {
  /** Oldest first. */
  readonly events: readonly EngineEvent[];
  /** There are none before the first. */
  readonly isAll: boolean;
}

export type ReadPast = () => Promise<PastEvents>;

/** The bus of one kernel. A listener that throws is reported to `onFault` and stays subscribed. */
export class EventBus implements EngineEvents {
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  #last = 0n;
  #readPast: ReadPast | undefined;

  constructor(private readonly onFault: (error: unknown) => void = () => undefined) {}

  get listenerCount(): number {
    return this.#listeners.size;
  }

  publish(event: NewEvent): EngineEvent {
    const now = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
    this.#last = now > this.#last ? now : this.#last + 1n;
    const stamped: EngineEvent = { ...event, timeNano: this.#last };
    for (const listener of [...this.#listeners]) {
      try {
        listener(stamped);
      } catch (error) {
        this.onFault(error);
      }
    }
    return stamped;
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  keepPast(read: ReadPast): () => void {
    this.#readPast = read;
    return () => {
      if (this.#readPast === read) this.#readPast = undefined;
    };
  }

  async past(): Promise<PastEvents | undefined> {
    return this.#readPast?.();
  }
}
