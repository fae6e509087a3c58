import { type ContainerRecord, ContainerRoots, type HeldRoot, isAlive } from '@gantry/containers/service';
import type { MountedTree } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';

type TreeMount = MountedTree['mounts'][number];

/** The file trees that containers' processes see. */
@injectable()
export class ContainerTrees {
  constructor(@inject(ContainerRoots.token) private readonly roots: ContainerRoots) {}

  /**
   * The root with volumes, binds and, while the container runs, tmpfs at their destinations, and the files that describe
   * its network. Kernel file systems such as /proc are left out, and so is what its processes mounted.
   */
  async of(record: ContainerRecord, root: HeldRoot): Promise<MountedTree> {
    const readOnly = record.hostConfig.ReadonlyRootfs === true;
    const mounts: TreeMount[] = root.mounts.map(({ mount, hostPath }) => ({
      source: hostPath,
      target: mount.destination,
      readOnly: !mount.readWrite,
    }));
    const destinations = new Set(record.mounts.map(({ destination }) => destination));
    const files = (await this.roots.networkFiles(record.id))
      .filter(({ target }) => !destinations.has(target))
      .map((file) => ({ ...file, readOnly }));
    return { directory: root.directory, mounts: [...mounts, ...temporary(record), ...files], readOnly };
  }
}

function temporary({ mounts, state }: ContainerRecord): readonly TreeMount[] {
  if (!isAlive(state)) return [];
  const { pid } = state;
  return mounts
    .filter(({ type }) => type === 'tmpfs')
    .map(({ destination }) => ({ source: { pid, path: destination }, target: destination, readOnly: false }));
}
