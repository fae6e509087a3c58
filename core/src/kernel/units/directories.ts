import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { EngineError, messageOf } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { PackageDirectories } from '../definitions/driver.js';
import type { Unit } from './unit.js';

/** Makes a unit's own directories. Closed to everybody else: images hold setuid programs of old versions (CVE-2021-41091). */
export async function makeDirectories(unit: Unit, config: KernelConfig): Promise<PackageDirectories> {
  const below =
    unit.kind === undefined ? path.join('plugins', unit.id) : path.join('drivers', `${unit.kind.kind}-${unit.id}`);
  const dirs = { root: path.join(config.dataRoot, below), state: path.join(config.execRoot, below) };
  await Promise.all([makeDirectory(dirs.root, '--data-root'), makeDirectory(dirs.state, '--exec-root')]);
  return dirs;
}

/** With what is missing above it. `flag`: where somebody says another place. */
async function makeDirectory(directory: string, flag: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o711 });
  } catch (error) {
    const hint = `run gantryd as root, or give ${flag} a directory that you own`;
    throw new EngineError('unavailable', `cannot make ${directory}: ${messageOf(error)}; ${hint}`, { cause: error });
  }
}
