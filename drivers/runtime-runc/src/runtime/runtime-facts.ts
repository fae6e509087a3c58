import type { RuntimeCapabilities, RuntimeDescription } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { CgroupPlacement } from '../cgroups/cgroup-placement.js';
import { CgroupMode } from '../tokens.js';
import { LazyCatalog } from './lazy-catalog.js';

/** What the driver can do on this host, and with which programs. */
@injectable()
export class RuntimeFacts {
  readonly capabilities: RuntimeCapabilities;

  constructor(
    @inject(CgroupMode) cgroups: CgroupMode,
    @inject(CgroupPlacement) placement: Pick<CgroupPlacement, 'driver'>,
    @inject(LazyCatalog) private readonly catalog: LazyCatalog,
  ) {
    this.capabilities = {
      pause: cgroups !== 'none',
      exec: true,
      update: cgroups !== 'none',
      stats: true,
      processTable: true,
      survivesDaemon: true,
      cgroups,
      cgroupDriver: placement.driver,
    };
  }

  async describe(): Promise<RuntimeDescription> {
    const { names, standard } = await this.catalog.ready();
    return { name: standard.name, path: standard.program ?? standard.path, version: standard.version, runtimes: names };
  }
}
