import type { OciMount } from '@gantry/core/contracts';
import { kernelFileSystems, sharedMemory } from '@gantry/lib-oci';
import type { ReadyMount } from '../mounts/ready-mount.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import type { NetworkFiles } from '../sandbox/network-files.js';

const hostShm: OciMount = { destination: '/dev/shm', type: 'bind', source: '/dev/shm', options: ['rbind'] };

/** File systems every container has. */
function standardMounts({ hostConfig }: ContainerRecord): readonly OciMount[] {
  const privileged = hostConfig.Privileged === true;
  const writable = privileged && hostConfig.ReadonlyRootfs !== true ? 'rw' : 'ro';
  const hostIpc = hostConfig.IpcMode === 'host';
  const noShm = hostConfig.IpcMode === 'none';
  return [
    ...kernelFileSystems(writable),
    {
      destination: '/sys/fs/cgroup',
      type: 'cgroup',
      source: 'cgroup',
      options: [writable, 'nosuid', 'noexec', 'nodev'],
    },
    // It shows the queues of the IPC namespace it is mounted in: with the host's, the host's.
    { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: ['nosuid', 'noexec', 'nodev'] },
    ...(noShm ? [] : [hostIpc ? hostShm : sharedMemory(hostConfig.ShmSize)]),
  ];
}

/** Without `ro` a bind is as writable as its source. */
const readOnlyUnless = (writable: boolean): readonly string[] => (writable ? [] : ['ro']);

/** Words of a mount's mode that say nothing to the kernel. */
const notForTheKernel = /^(z|Z|nocopy|copy|volume|delegated|cached|consistent)$/;

function toOciMount({ mount, hostPath, pin, isFile = false, forbids = [] }: ReadyMount): OciMount {
  const { destination } = mount;
  if (mount.type === 'tmpfs') {
    const wished = mount.mode.split(',').filter((word) => word !== '');
    return { destination, type: 'tmpfs', source: 'tmpfs', options: tmpfsOptions(wished) };
  }
  return {
    destination,
    type: 'bind',
    source: pin ?? hostPath ?? mount.source,
    options: [
      'rbind',
      ...new Set([...readOnlyUnless(mount.readWrite), ...forbids]),
      // crun opens the target of such a mount as a directory; for a file `ro` is the same.
      ...(mount.recursiveReadOnly === true && !isFile ? ['rro'] : []),
      mount.propagation || 'rprivate',
    ],
  };
}

/** Careful unless asked otherwise: what a client names replaces its opposite. */
function tmpfsOptions(wished: readonly string[]): readonly string[] {
  const opposites: Readonly<Record<string, string>> = { noexec: 'exec', nosuid: 'suid', nodev: 'dev' };
  const careful = Object.entries(opposites)
    .filter(([word, opposite]) => !wished.includes(word) && !wished.includes(opposite))
    .map(([word]) => word);
  return [...careful, ...wished.filter((word) => !notForTheKernel.test(word))];
}

const depth = (destination: string): number => destination.split('/').filter((part) => part !== '').length;

/**
 * All mounts in an order in which no mount hides another. A client's own mount takes the place of a standard one at
 * the same destination.
 */
export function containerMounts(
  record: ContainerRecord,
  mounts: readonly ReadyMount[],
  files: NetworkFiles | undefined,
): readonly OciMount[] {
  const own = mounts.map(toOciMount).sort((a, b) => depth(a.destination) - depth(b.destination));
  const fileMounts: OciMount[] =
    files === undefined
      ? []
      : (
          [
            ['/etc/resolv.conf', files.resolvConf],
            ['/etc/hostname', files.hostname],
            ['/etc/hosts', files.hosts],
          ] as const
        ).map(([destination, source]) => ({
          destination,
          type: 'bind',
          source,
          options: ['rbind', ...readOnlyUnless(record.hostConfig.ReadonlyRootfs !== true), 'rprivate'],
        }));
  const taken = new Set(own.map(({ destination }) => destination));
  const free = (mount: OciMount): boolean => !taken.has(mount.destination);
  return [...standardMounts(record).filter(free), ...own, ...fileMounts.filter(free)];
}

/** What the root's propagation must be so that a mount's own wish can work. */
export function rootPropagation(mounts: readonly MountPoint[]): string | undefined {
  const wishes = mounts.map(({ propagation }) => propagation);
  if (wishes.some((wish) => /^r?shared$/.test(wish))) return 'shared';
  if (wishes.some((wish) => /^r?slave$/.test(wish))) return 'slave';
  return undefined;
}
