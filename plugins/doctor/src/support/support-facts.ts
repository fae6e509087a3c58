import {
  type DriverLifecycle,
  EngineSettings,
  inject,
  injectable,
  PackageMeasurements,
  PackageStatuses,
  RecentLog,
} from '@gantry/core/driver';

/** The command by which a daemon says what only it knows. */
export const factsCommand = 'support-facts';

/** What a daemon contributes to a bundle, before it is redacted. Texts, by the names of files. */
export type Facts = Readonly<Record<string, unknown>>;

/** What the daemon contributes to the bundle of a bug report. */
@injectable()
export class SupportFacts implements DriverLifecycle {
  readonly commands = { [factsCommand]: () => this.#answer() };

  constructor(
    @inject(EngineSettings) private readonly settings: EngineSettings,
    @inject(PackageStatuses) private readonly packages: PackageStatuses,
    @inject(PackageMeasurements) private readonly measurements: PackageMeasurements,
    @inject(RecentLog) private readonly log: RecentLog,
  ) {}

  async *#answer(): AsyncGenerator<string, void> {
    const facts: Facts = {
      settings: this.settings.read(),
      packages: this.packages.list(),
      metrics: await this.measurements.take(AbortSignal.timeout(10_000)),
      log: this.log.lines(),
    };
    yield JSON.stringify(facts);
  }
}
