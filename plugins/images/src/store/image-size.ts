import type { StoredImage } from './image-record.js';
import type { ImageStore } from './image-store.js';

/** Bytes of all layers of an image. */
export function imageSize(store: ImageStore, image: StoredImage): number {
  return image.chainIds.reduce((sum, chainId) => sum + (store.layer(chainId)?.size ?? 0), 0);
}
