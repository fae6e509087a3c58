import { inject, injectable } from '@gantry/core/driver';
import type { ImageHistory as HistoryEntry } from './configuration/image-configuration.js';
import type { Platform } from './configuration/platform.js';
import type { StoredImage } from './store/image-record.js';
import { ImageStore } from './store/image-store.js';
import { requirePlatform } from './store/require-platform.js';

export interface HistoryItem {
  readonly entry: HistoryEntry;
  /** Bytes of its layer. */
  readonly size: number;
  /** The stored image whose newest item this is, with its tags. */
  readonly image: { readonly id: string; readonly tags: readonly string[] } | undefined;
}

/** Spec: GET /images/(name)/history. */
@injectable()
export class ImageHistory {
  constructor(@inject(ImageStore) private readonly store: ImageStore) {}

  /** Newest first. An item names the image or stored ancestor that it completes. @throws EngineError `not-found`. */
  history(reference: string, platform?: Platform): readonly HistoryItem[] {
    const image = requirePlatform(this.store.resolve(reference), reference, platform);
    const images = this.#imagesByLength(image);
    let layer = 0;
    const items = (image.configuration.history ?? []).map((entry, index): HistoryItem => {
      const chainId = entry.empty_layer === true ? undefined : image.chainIds[layer++];
      const id = images.get(index + 1)?.record.id;
      return {
        entry,
        size: chainId === undefined ? 0 : (this.store.layer(chainId)?.size ?? 0),
        image:
          id === undefined
            ? undefined
            : { id, tags: this.store.referencesOf(id).filter((name) => !name.includes('@')) },
      };
    });
    return items.reverse();
  }

  /** The image and its stored ancestors, by the length of their histories. */
  #imagesByLength(image: StoredImage): ReadonlyMap<number, StoredImage> {
    const images = new Map<number, StoredImage>();
    for (let current: StoredImage | undefined = image; current !== undefined; ) {
      images.set(current.configuration.history?.length ?? 0, current);
      const parent: string | undefined = current.record.parent;
      current = parent === undefined ? undefined : this.store.byId(parent);
    }
    return images;
  }
}
