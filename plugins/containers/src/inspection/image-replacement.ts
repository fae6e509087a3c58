import type { ImageService } from '@gantry/images/service';
import type { ContainerRecord } from '../record.js';

/** Determines for many containers whether the name of their image refers to another image by now, or to none. */
export function imageReplacement(images: Pick<ImageService, 'get'>): (record: ContainerRecord) => boolean {
  const ids = new Map<string, string | undefined>();
  const idOf = (name: string): string | undefined => {
    try {
      return images.get(name).id;
    } catch {
      return undefined;
    }
  };
  return ({ imageName, imageId }) => {
    if (!ids.has(imageName)) ids.set(imageName, idOf(imageName));
    return ids.get(imageName) !== imageId;
  };
}
