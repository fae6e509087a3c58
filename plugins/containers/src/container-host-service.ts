import { existsSync } from 'node:fs';
import { Config, inject, injectable } from '@gantry/core/driver';
import type { ContainersConfig } from './containers-config.js';
import type { ContainerHost } from './service.js';

@injectable()
export class ContainerHostService implements ContainerHost {
  constructor(@inject(Config) private readonly config: Pick<ContainersConfig, 'initPath'>) {}

  initBinary(): string {
    return existsSync(this.config.initPath) ? this.config.initPath : '';
  }
}
