import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { type DriverLifecycle, inject, injectable, Lifetime, type Measurement } from '@gantry/core/driver';

/** Milliseconds between two looks: as a timer of the process, it costs a wake-up each. */
const resolution = 50;

/** How late the event loop runs timers. The percentiles are those since the last scrape. */
@injectable()
export class EventLoopDelay implements DriverLifecycle {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution });

  constructor(@inject(Lifetime) private readonly lifetime: Lifetime) {}

  async start(): Promise<void> {
    this.#histogram.enable();
    this.lifetime.add(() => void this.#histogram.disable());
  }

  measure(): readonly Measurement[] {
    const histogram = this.#histogram;
    const values = [
      ['50', histogram.percentile(50)],
      ['99', histogram.percentile(99)],
      ['100', histogram.max],
    ] as const;
    const measured = {
      name: 'event_loop_delay_seconds',
      type: 'gauge',
      help: 'How late the event loop ran timers since the last scrape, by percentile',
      // Timers are looked at once in each period, so that nothing is early. Without a look there is no maximum.
      values: values.map(([percentile, nanoseconds]) => ({
        labels: { percentile },
        value: histogram.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolution / 1e3),
      })),
    } as const;
    histogram.reset();
    return [measured];
  }
}
