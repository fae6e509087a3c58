import { EngineSettings, inject, injectable } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Nftables } from '@gantry/lib-linux/nftables';
import type { HostFacts } from './host-facts.js';

/** Reads what the host is like, for a daemon. */
@injectable()
export class HostReader {
  constructor(
    @inject(EngineSettings) private readonly settings: EngineSettings,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(Nftables.token) private readonly nftables: Nftables,
  ) {}

  async read(): Promise<HostFacts> {
    const { cgroups, launcher, mounts, nftables } = this;
    // Loaded when it is first asked for: a start need not wait for it.
    const { readHost } = await import('./read-host.js');
    return readHost(this.settings.read(), { cgroups, launcher, mounts, nftables });
  }
}
