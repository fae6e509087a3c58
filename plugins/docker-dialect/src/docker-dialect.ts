import { Config, inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import type { DialectConfig } from './config.js';
import { translate } from './translate.js';

/** Adds the translation to the engine surface. */
@injectable()
export class DockerDialect {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Config) private readonly config: DialectConfig,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.use('translate', translate(this.config.server)));
  }
}
