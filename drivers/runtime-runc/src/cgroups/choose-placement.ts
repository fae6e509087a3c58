import { access } from 'node:fs/promises';
import { DriverSkipped, invalidArgument } from '@gantry/core/errors';
import type { CgroupLayout } from '@gantry/lib-linux/cgroups';
import { slicePath } from '@gantry/lib-oci';
import type { RuntimeConfig } from '../config.js';
import { type CgroupPlacement, FilePlacement, NoPlacement, ScopePlacement } from './cgroup-placement.js';

type PlacementConfig = Pick<RuntimeConfig, 'cgroupDriver' | 'cgroupParent'>;

/** Exists where systemd is the init system: sd_booted(3). */
const markOfSystemd = '/run/systemd/system';

/** Whether systemd is the init system of the host. */
export const runsSystemd = (): Promise<boolean> =>
  access(markOfSystemd).then(
    () => true,
    () => false,
  );

/**
 * The configured cgroup driver, or the one for the host. @throws DriverSkipped when systemd is configured and absent;
 * EngineError `invalid-argument` for a parent that the driver cannot have.
 */
export function choosePlacement(
  { cgroupDriver, cgroupParent }: PlacementConfig,
  { mode }: Pick<CgroupLayout, 'mode'>,
  hasSystemd: boolean,
): CgroupPlacement {
  if (mode === 'none') return withoutCgroups(cgroupDriver);
  const driver = cgroupDriver ?? (hasSystemd && mode === 'v2' ? 'systemd' : 'cgroupfs');
  if (driver === 'cgroupfs') return new FilePlacement(parentPath(cgroupParent ?? '/gantry'));
  if (!hasSystemd) {
    throw new DriverSkipped(`cgroupDriver: "systemd" needs systemd as init system: there is no ${markOfSystemd}`);
  }
  if (cgroupParent !== undefined && slicePath(cgroupParent) === undefined) {
    throw invalidArgument(
      `cgroupParent: "${cgroupParent}" is not the name of a slice such as teams.slice, which cgroupDriver systemd needs`,
    );
  }
  return new ScopePlacement(cgroupParent ?? 'system.slice');
}

function withoutCgroups(cgroupDriver: PlacementConfig['cgroupDriver']): CgroupPlacement {
  if (cgroupDriver === undefined) return new NoPlacement();
  throw new DriverSkipped(
    `cgroupDriver: "${cgroupDriver}" needs cgroups, and none are delegated to the user that the daemon runs as`,
  );
}

function parentPath(path: string): string {
  if (/^\/[^/].*[^/]$/.test(path)) return path;
  throw invalidArgument(`cgroupParent: "${path}" is not a path such as /gantry, which cgroupDriver cgroupfs needs`);
}
