import { access } from 'node:fs/promises';
import { DriverSkipped, invalidArgument } from '@gantry/core/errors';
import type { CgroupLayout } from '@gantry/lib-linux/cgroups';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { slicePath } from '@gantry/lib-oci';
import type { RuntimeConfig } from '../config.js';
import { type CgroupPlacement, FilePlacement, NoPlacement, ScopePlacement } from './cgroup-placement.js';

type PlacementConfig = Pick<RuntimeConfig, 'cgroupDriver' | 'cgroupParent'>;

/** Exists where systemd is the init system: sd_booted(3). */
const markOfSystemd = '/run/systemd/system';

/** Why systemd makes no scopes for containers; undefined where it does. */
export async function systemdUnavailable(): Promise<string | undefined> {
  if (isInUserNamespace()) return 'to be root on the host, which a rootless engine is not';
  const runs = await access(markOfSystemd).then(
    () => true,
    () => false,
  );
  return runs ? undefined : `systemd as init system: there is no ${markOfSystemd}`;
}

/**
 * The configured cgroup driver, or the one for the host. @throws DriverSkipped when systemd is configured and unavailable;
 * EngineError `invalid-argument` for a parent that the driver cannot have.
 */
export function choosePlacement(
  { cgroupDriver, cgroupParent }: PlacementConfig,
  { mode }: Pick<CgroupLayout, 'mode'>,
  withoutSystemd: string | undefined,
): CgroupPlacement {
  if (mode === 'none') return withoutCgroups(cgroupDriver);
  const driver = cgroupDriver ?? (withoutSystemd === undefined && mode === 'v2' ? 'systemd' : 'cgroupfs');
  if (driver === 'cgroupfs') return new FilePlacement(parentPath(cgroupParent ?? '/gantry'));
  if (withoutSystemd !== undefined) throw new DriverSkipped(`cgroupDriver: "systemd" needs ${withoutSystemd}`);
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
