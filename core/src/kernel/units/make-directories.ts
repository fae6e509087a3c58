import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, messageOf } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { PackageDirectories } from '../definitions/driver.js';
import type { Unit } from './unit.js';

/** Creates a unit's directories, private to the daemon: images hold setuid programs of old versions (CVE-2021-41091). */
export async function makeDirectories(
  unit: Unit,
  config: Pick<KernelConfig, 'execRoot'>,
  dataRoot: string,
): Promise<PackageDirectories> {
  const below =
    unit.kind === undefined ? path.join('plugins', unit.id) : path.join('drivers', `${unit.kind.kind}-${unit.id}`);
  const dirs = { root: path.join(dataRoot, below), state: path.join(config.execRoot, below) };
  await Promise.all([makeDirectory(dirs.root, '--data-root'), makeDirectory(dirs.state, '--exec-root')]);
  return dirs;
}

/** Creates missing parents, too. @param flag that selects another place, for the error. */
async function makeDirectory(directory: string, flag: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o711 });
  } catch (error) {
    const hint = `run gantryd as root, or give ${flag} a directory that you own`;
    throw new EngineError('unavailable', `cannot create ${directory}: ${messageOf(error)}; ${hint}`, { cause: error });
  }
}
