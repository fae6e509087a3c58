import type { MountedImage, MountPoint } from '../../record.js';

/** A mount point as asked for, before its volume is created and its image found. */
export type PreparedMount = Omit<MountPoint, 'image'> & {
  readonly image?: Pick<MountedImage, 'reference'> & Partial<MountedImage>;
  readonly volumeOptions?: Readonly<Record<string, string>>;
  readonly volumeLabels?: Readonly<Record<string, string>>;
};
