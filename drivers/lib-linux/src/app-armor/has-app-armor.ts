import { access, constants } from 'node:fs/promises';
import { isInUserNamespace } from '../host/user-namespace.js';
import { programPath } from '../launcher/program-path.js';
import { parser, profilesFile, textOf } from './kernel-app-armor.js';

/** Whether processes can be confined: the kernel does it, and the program that loads profiles is installed. */
export async function hasAppArmor(): Promise<boolean> {
  // Profiles are loaded by root of the host only.
  if (isInUserNamespace()) return false;
  if (!(await textOf('/sys/module/apparmor/parameters/enabled')).startsWith('Y')) return false;
  try {
    await access(profilesFile, constants.R_OK);
    await access(await programPath(parser), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
