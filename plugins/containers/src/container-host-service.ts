import { existsSync } from 'node:fs';
import { Config, inject, injectable } from '@gantry/core/driver';
import { CdiDevices } from './cdi/cdi-devices.js';
import type { ContainersConfig } from './containers-config.js';
import type { ContainerHost } from './service.js';

@injectable()
export class ContainerHostService implements ContainerHost {
  constructor(
    @inject(Config) private readonly config: Pick<ContainersConfig, 'initPath'>,
    @inject(CdiDevices) private readonly cdi: CdiDevices,
  ) {}

  async devices(): ReturnType<ContainerHost['devices']> {
    return { specDirectories: this.cdi.directories, names: await this.cdi.names() };
  }

  initBinary(): string {
    return existsSync(this.config.initPath) ? this.config.initPath : '';
  }
}
