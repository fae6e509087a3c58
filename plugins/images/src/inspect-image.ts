import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { Platform } from './configuration/platform.js';
import type { StoredImage } from './store/image-record.js';
import { imageSize } from './store/image-size.js';
import { ImageStore } from './store/image-store.js';
import { requirePlatform } from './store/require-platform.js';

export interface ImageDetails {
  readonly image: StoredImage;
  /** `repo:tag` and `repo@digest`, sorted. */
  readonly names: readonly string[];
  /** Bytes of all layers. */
  readonly size: number;
  readonly storage: { readonly name: string; readonly data: Readonly<Record<string, string>> };
}

/** Spec: GET /images/(name)/json. */
@injectable()
export class InspectImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
  ) {}

  /** Rejects `not-found`. */
  async inspect(reference: string, platform?: Platform): Promise<ImageDetails> {
    const image = requirePlatform(this.store.resolve(reference), reference, platform);
    const top = this.store.layer(image.chainIds.at(-1) ?? '');
    const data = top === undefined ? {} : await this.storages.get().describe(top.storageId, 'layer');
    return {
      image,
      names: this.store.referencesOf(image.record.id),
      size: imageSize(this.store, image),
      storage: { name: this.storages.defaultId ?? '', data },
    };
  }
}
