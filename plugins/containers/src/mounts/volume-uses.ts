import type { VolumeUse } from '@gantry/volumes/service';
import type { ContainerRecord, MountPoint } from '../record.js';

export const volumeUseOf = (record: ContainerRecord, mount: MountPoint): VolumeUse => ({
  containerId: record.id,
  destination: mount.destination,
  readWrite: mount.readWrite,
  propagation: mount.propagation,
});

/** Named volumes and their uses by one container. */
export const volumeUses = (record: ContainerRecord): { readonly name: string; readonly use: VolumeUse }[] =>
  record.mounts.flatMap((mount) =>
    mount.type === 'volume' && mount.name !== undefined ? [{ name: mount.name, use: volumeUseOf(record, mount) }] : [],
  );
