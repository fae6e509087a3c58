import type { MountPoint } from '../record.js';

export interface ReadyMount {
  readonly mount: MountPoint;
  readonly hostPath: string | undefined;
  /** Where the part of it that the container gets is mounted until the runtime has taken it over. */
  readonly pin?: string;
  /** Nothing can be mounted below it. Undefined is a directory. */
  readonly isFile?: boolean;
  /** What the host's mount forbids, so that the container's does too: `ro`, `nosuid`, `nodev`, `noexec`. */
  readonly forbids?: readonly string[];
}
