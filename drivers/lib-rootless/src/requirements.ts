import { accessSync, constants, readFileSync } from 'node:fs';
import { MissingRequirement } from './missing-requirement.js';

/** Programs that start an ordinary user's engine, with their Debian packages. */
export const requiredPrograms = {
  newuidmap: 'uidmap',
  newgidmap: 'uidmap',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
} as const;

/** @throws MissingRequirement for the first thing that is missing. */
export function checkRequirements(path: string): void {
  checkSetting('/proc/sys/user/max_user_namespaces', 'user.max_user_namespaces=28633');
  checkSetting('/proc/sys/kernel/unprivileged_userns_clone', 'kernel.unprivileged_userns_clone=1');
  for (const [program, debianPackage] of Object.entries(requiredPrograms)) {
    if (findProgram(program, path) !== undefined) continue;
    throw new MissingRequirement(`${program} is not installed: as root run "apt-get install ${debianPackage}"`);
  }
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
  } catch {
    throw new MissingRequirement('/dev/net/tun cannot be opened: as root run "modprobe tun"');
  }
}

/** A setting that is absent is not one of this kernel. */
function checkSetting(file: string, setting: string): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  if (text.trim() === '0') {
    throw new MissingRequirement(`ordinary users may make no user namespaces: as root run "sysctl -w ${setting}"`);
  }
}

/** An executable on a search path. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
