import { inject, injectable } from '@gantry/core/driver';
import type { StoredImage } from './store/image-record.js';
import { ImageStore } from './store/image-store.js';

/** Bytes of the layers that an image shares with others. All of it comes from records. */
@injectable()
export class SharedSizes {
  constructor(@inject(ImageStore) private readonly store: ImageStore) {}

  /** Counts the users of all layers once; the function says the shared size of an image as of now. */
  measure(): (image: StoredImage) => number {
    const users = new Map<string, number>();
    for (const { chainIds } of this.store.images()) {
      for (const chainId of chainIds) users.set(chainId, (users.get(chainId) ?? 0) + 1);
    }
    return ({ chainIds }) => {
      const shared = chainIds.filter((chainId) => (users.get(chainId) ?? 0) > 1);
      return shared.reduce((sum, chainId) => sum + (this.store.layer(chainId)?.size ?? 0), 0);
    };
  }
}
