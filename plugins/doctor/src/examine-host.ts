import type { OfflineContext } from '@gantry/core/driver';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Nftables } from '@gantry/lib-linux/nftables';
import type { Report } from './finding.js';

/** What a command without a daemon finds: it looks at the host alone. */
export async function examineHost({ settings, port }: Pick<OfflineContext, 'settings' | 'port'>): Promise<Report> {
  const [{ readHost }, { examine }] = await Promise.all([import('./host/read-host.js'), import('./examine.js')]);
  const [cgroups, launcher, mounts, nftables] = [port(Cgroups), port(Launcher), port(Mounts), port(Nftables)];
  return examine(await readHost(settings, { cgroups, launcher, mounts, nftables }));
}
