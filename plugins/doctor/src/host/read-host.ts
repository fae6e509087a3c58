import type { EngineSettings } from '@gantry/core/driver';
import type { Cgroups } from '@gantry/lib-linux/cgroups';
import type { Launcher } from '@gantry/lib-linux/launcher';
import type { Mounts } from '@gantry/lib-linux/mounts';
import type { Nftables } from '@gantry/lib-linux/nftables';
import type { HostFacts } from './host-facts.js';
import { hostSettings } from './host-settings.js';
import { readCgroups } from './read-cgroups.js';
import { readClock } from './read-clock.js';
import { readFirewall } from './read-firewall.js';
import { readKernel } from './read-kernel.js';
import { readPrograms } from './read-programs.js';
import { readStorage } from './read-storage.js';
import { readUser } from './read-user.js';

interface HostPorts {
  readonly cgroups: Cgroups;
  readonly launcher: Launcher;
  readonly mounts: Mounts;
  readonly nftables: Nftables;
}

/** Reads what the host is like: a daemon need not run. */
export async function readHost(
  settings: ReturnType<EngineSettings['read']>,
  { cgroups: groups, launcher, mounts, nftables }: HostPorts,
): Promise<HostFacts> {
  const chosen = hostSettings(settings);
  const [kernel, cgroups, storage, firewall, clock, user, programs] = await Promise.all([
    readKernel(),
    readCgroups(groups, chosen),
    readStorage(mounts, chosen),
    readFirewall(nftables, chosen),
    readClock(chosen),
    readUser(),
    readPrograms(launcher, chosen),
  ]);
  return { kernel, cgroups, storage, firewall, clock, user, programs };
}
