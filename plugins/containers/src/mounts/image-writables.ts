import type { ContainerRecord } from '../record.js';

/** Id of the writable layer that shows the image of a container's mount; `index` is the mount's among the container's. */
export const imageWritable = (containerId: string, index: number): string => `${containerId}-image-${index}`;

/** Id of the container that a writable layer belongs to; undefined when it is none of a container. */
export const ownerOfWritable = (id: string): string | undefined => /^([0-9a-f]{64})(?:-image-\d+)?$/.exec(id)?.[1];

/** Ids of the writable layers that show images in a container. */
export const imageWritablesOf = ({ mounts }: Pick<ContainerRecord, 'mounts'>): readonly string[] =>
  mounts.flatMap(({ image }) => (image === undefined ? [] : [image.writable]));

/** Ids of the images that a container uses: its own, and those that are mounted. */
export const imagesOf = ({ imageId, mounts }: Pick<ContainerRecord, 'imageId' | 'mounts'>): readonly string[] => [
  imageId,
  ...mounts.flatMap(({ image }) => (image === undefined ? [] : [image.id])),
];
