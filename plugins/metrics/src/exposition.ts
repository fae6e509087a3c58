import { inject, injectable, type MeasuredValue, type Measurement, PackageMeasurements } from '@gantry/core/driver';
import { Counter, Gauge, Registry } from 'prom-client';
import { RequestMetrics } from './request-metrics.js';

const prefix = 'gantry_';

/** The text that Prometheus reads. */
@injectable()
export class Exposition {
  #running: Promise<string> | undefined;

  constructor(
    @inject(PackageMeasurements) private readonly packages: PackageMeasurements,
    @inject(RequestMetrics) private readonly requests: RequestMetrics,
  ) {}

  get contentType(): string {
    return this.requests.registry.contentType;
  }

  /** Measures once for all that ask meanwhile. */
  text(): Promise<string> {
    this.#running ??= this.#measure().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #measure(): Promise<string> {
    const measured = await this.packages.take(AbortSignal.timeout(10_000));
    const registry = new Registry();
    for (const measurement of withoutDuplicates(measured)) add(registry, measurement);
    return (await Registry.merge([registry, this.requests.registry]).metrics()).trimEnd().concat('\n');
  }
}

/** Several packages may measure the same of different things. */
function withoutDuplicates(measured: readonly Measurement[]): Iterable<Measurement> {
  const byName = new Map<string, Measurement>();
  for (const each of measured) {
    const known = byName.get(each.name);
    byName.set(each.name, known === undefined ? each : { ...known, values: [...known.values, ...each.values] });
  }
  return byName.values();
}

function add(registry: Registry, { help, name, type, values }: Measurement): void {
  // Without values the library would show a 0.
  if (values.length === 0) return;
  const options = { name: `${prefix}${name}`, help, labelNames: labelNamesOf(values), registers: [registry] };
  if (type === 'counter') {
    const counter = new Counter(options);
    for (const { labels = {}, value } of values) counter.inc(labels, value);
    return;
  }
  const gauge = new Gauge(options);
  for (const { labels = {}, value } of values) gauge.set(labels, value);
}

const labelNamesOf = (values: readonly MeasuredValue[]): string[] => [
  ...new Set(values.flatMap(({ labels = {} }) => Object.keys(labels))),
];
