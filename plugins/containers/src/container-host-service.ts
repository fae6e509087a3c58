import { existsSync } from 'node:fs';
import { Config, inject, injectable } from '@gantry/core/driver';
import type { CgroupLimits } from '@gantry/lib-linux/cgroups';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { CdiDevices } from './cdi/cdi-devices.js';
import type { ContainersConfig } from './containers-config.js';
import { HostFacts } from './host/host-facts.js';
import type { ContainerHost } from './service.js';

@injectable()
export class ContainerHostService implements ContainerHost {
  constructor(
    @inject(Config) private readonly config: Pick<ContainersConfig, 'initPath'>,
    @inject(CdiDevices) private readonly cdi: CdiDevices,
    @inject(HostFacts) private readonly host: HostFacts,
  ) {}

  get limits(): CgroupLimits {
    return this.host.limits;
  }

  get securityOptions(): readonly string[] {
    const { appArmor, selinux, seccomp, cgroupVersion, remapsIds } = this.host;
    const confining = {
      apparmor: appArmor,
      selinux: selinux !== undefined,
      seccomp,
      cgroupns: cgroupVersion === 2,
      rootless: isInUserNamespace(),
      userns: remapsIds,
    };
    return Object.entries(confining).flatMap(([name, holds]) => (holds ? [name] : []));
  }

  async devices(): ReturnType<ContainerHost['devices']> {
    return { specDirectories: this.cdi.directories, names: await this.cdi.names() };
  }

  initBinary(): string {
    return existsSync(this.config.initPath) ? this.config.initPath : '';
  }
}
