import type { MountPoint } from '../../record.js';

/** A mount point as asked for, before its volume is made. */
export type PreparedMount = MountPoint & {
  readonly volumeOptions?: Readonly<Record<string, string>>;
  readonly volumeLabels?: Readonly<Record<string, string>>;
};
