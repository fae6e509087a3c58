import { stat } from 'node:fs/promises';
import type { Cgroups } from '@gantry/lib-linux/cgroups';
import type { CgroupFacts } from './host-facts.js';
import type { HostSettings } from './host-settings.js';

/** Exists where systemd is the init system: sd_booted(3). */
const markOfSystemd = '/run/systemd/system';

export async function readCgroups(cgroups: Cgroups, { cgroupDriver }: HostSettings): Promise<CgroupFacts> {
  const { mode, controllers } = await cgroups.layout();
  const systemd = await stat(markOfSystemd).then(
    () => true,
    () => false,
  );
  return { mode, controllers: new Set(controllers.keys()), systemd, driver: cgroupDriver };
}
