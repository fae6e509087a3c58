import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../errors/engine-error.js';
import type { KernelConfig } from '../kernel/configuration/kernel-config.js';
import type { Orphan } from '../kernel/hooks/orphan.js';

type Roots = Pick<KernelConfig, 'dataRoot' | 'execRoot'>;

/** The mounts of this process that are {@link leftMounts}. */
export const findLeftMounts = async (roots: Roots, running: readonly string[]): Promise<readonly Orphan[]> =>
  leftMounts(await readFile('/proc/self/mountinfo', 'utf8'), roots, running);

/**
 * Mounts in the directories of drivers that are not running, such as a removed one's volumes. The engine does not unmount
 * them: it does not know what they hold.
 * @param running drivers such as `volume/nfs`.
 */
export function leftMounts(
  mountInfo: string,
  { dataRoot, execRoot }: Roots,
  running: readonly string[],
): readonly Orphan[] {
  const roots = [dataRoot, execRoot].map((root) => path.resolve(root));
  const owners = new Set(running.map((name) => name.replace('/', '-')));
  return mountPoints(mountInfo).flatMap((target) => {
    const root = roots.find((each) => target.startsWith(`${each}/`));
    const below = root === undefined ? '' : target.slice(root.length);
    // Remapped users of containers have a data root of their own below the configured one.
    const owner = /^(?:\/\d+\.\d+)?\/drivers\/([^/]+)/.exec(below)?.[1];
    if (owner === undefined || owners.has(owner)) return [];
    return {
      what: 'mount',
      name: target,
      reason: `mounted by the driver ${owner}, which is not running`,
      isQuarantined: true,
      remove: async () => {
        throw conflict(`unmount it with "umount ${target}", or start the engine with the driver ${owner} again`);
      },
    };
  });
}

function mountPoints(mountInfo: string): readonly string[] {
  return mountInfo
    .split('\n')
    .flatMap((line) => line.split(' ')[4]?.replace(/\\([0-7]{3})/g, (_, octal) => fromOctal(octal)) ?? []);
}

const fromOctal = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 8));
