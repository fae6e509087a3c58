import type { OciMount } from '@gantry/core/contracts';

const defaultBytes = 64 * 2 ** 20;

/** `/proc`, `/dev` with its terminals, and `/sys`, in the order in which none hides another. */
export const kernelFileSystems = (sysAccess: 'ro' | 'rw'): readonly OciMount[] => [
  { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
  {
    destination: '/dev',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
  },
  {
    destination: '/dev/pts',
    type: 'devpts',
    source: 'devpts',
    options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
  },
  { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', sysAccess] },
];

/** `/dev/shm` of its own. @param bytes 0 and undefined are 64 MiB. */
export const sharedMemory = (bytes?: number): OciMount => ({
  destination: '/dev/shm',
  type: 'tmpfs',
  source: 'shm',
  options: ['nosuid', 'noexec', 'nodev', 'mode=1777', `size=${bytes || defaultBytes}`],
});
