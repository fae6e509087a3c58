import { type DriverLifecycle, inject, injectable, Lifetime, type Measurement } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';

/** How many events were published, by the type of their object. */
@injectable()
export class EngineEventCounts implements DriverLifecycle {
  readonly #counts = new Map<string, number>();

  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.events.subscribe(({ type }) => this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1)));
  }

  measure(): readonly Measurement[] {
    const values = [...this.#counts].map(([type, value]) => ({ labels: { type }, value }));
    return [{ name: 'events_total', type: 'counter', help: 'Published events, by the type of their object', values }];
  }
}
