import { realpath } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { SELinux } from '@gantry/lib-linux/selinux';
import type { ContainerRecord, MountPoint } from '../record.js';
import { checkRelabeling, sharedLabel } from '../security/security-labels.js';
import type { ReadyMount } from './ready-mount.js';

/** Gives what is mounted into containers the contexts of SELinux with which they may use it. */
@injectable()
export class MountLabels {
  constructor(@inject(SELinux.token) private readonly selinux: Pick<SELinux, 'relabel'>) {}

  /**
   * Binds with `z` for all containers, with `Z` for this one alone; volumes for all unless they have `Z`; and `files`,
   * the engine's own. Rejects `invalid-argument` for directories of the host that must keep their contexts.
   */
  async apply({ labels }: ContainerRecord, mounts: readonly ReadyMount[], files: readonly string[]): Promise<void> {
    if (labels === undefined) return;
    const shared = sharedLabel(labels.mount);
    const wanted = mounts.flatMap(({ mount, hostPath }) => {
      const isPrivate = relabelling(mount);
      return isPrivate === undefined || hostPath === undefined
        ? []
        : [{ hostPath, label: isPrivate ? labels.mount : shared }];
    });
    // One after the other: binds may overlap, and the last one holds.
    for (const { hostPath, label } of wanted) {
      checkRelabeling(await realpath(hostPath));
      await this.selinux.relabel(hostPath, label);
    }
    for (const file of files) await this.selinux.relabel(file, shared);
  }
}

/** Whether the container alone may use it; undefined where nothing is relabelled. */
function relabelling({ type, mode }: MountPoint): boolean | undefined {
  const words = mode.split(',');
  if (words.includes('Z')) return true;
  if (words.includes('z')) return false;
  return type === 'volume' ? false : undefined;
}
