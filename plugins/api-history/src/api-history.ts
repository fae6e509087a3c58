import { Config, inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { adapt } from './adapt.js';
import { type HistoryConfig, toRange } from './config.js';
import { History } from './history.js';
import { versionSteps } from './version-steps.js';

/** Makes the engine surface accept older versions and adapts what their clients send and get. */
@injectable()
export class ApiHistory {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Config) private readonly config: HistoryConfig,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const range = toRange(this.config);
    this.lifetime.add(this.api.use('adapt', adapt(new History(versionSteps))));
    this.lifetime.add(this.api.extendVersions(range));
  }
}
