import { servicePoint } from '@gantry/core/points';
import { ringBufferLog } from './ring-buffer-log.js';

/** A process that the kernel killed because memory ran out. */
export interface MemoryKill {
  /** The cgroup it was in, from the root of the hierarchy. */
  readonly cgroup: string;
  /** As the host counts. */
  readonly pid: number;
}

/** What the kernel logged. */
export interface KernelLog {
  /**
   * The kills that the kernel's buffer still holds, oldest first. It describes at most ten kills in five seconds.
   * Synchronous. Throws LinuxError `EPERM` where this process may not read it.
   */
  memoryKills(): readonly MemoryKill[];
}

export const KernelLog = servicePoint<KernelLog>('linux.kernel-log', { fallback: () => ringBufferLog });
