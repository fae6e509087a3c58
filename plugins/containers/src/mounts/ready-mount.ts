import type { MountPoint } from '../record.js';

export interface ReadyMount {
  readonly mount: MountPoint;
  readonly hostPath: string | undefined;
  /** What the host's mount forbids, so that the container's does too: `ro`, `nosuid`, `nodev`, `noexec`. */
  readonly forbids?: readonly string[];
}
