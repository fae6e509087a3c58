import type { MountPoint } from '../record.js';

export interface ReadyMount {
  readonly mount: MountPoint;
  readonly hostPath: string | undefined;
  /** Nothing can be mounted below it. Undefined is a directory. */
  readonly isFile?: boolean;
  /** What the host's mount forbids, so that the container's does too: `ro`, `nosuid`, `nodev`, `noexec`. */
  readonly forbids?: readonly string[];
}
