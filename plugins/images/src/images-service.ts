import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { ImportImage, type ImportRequest } from './import/import-image.js';
import { LayerCollector } from './layers/layer-collector.js';
import { LayersInUse } from './layers/layers-in-use.js';
import { MeasureImages } from './measure-images.js';
import { type ImageUsers, RegisteredUsers } from './registered-users.js';
import type { Image, ImageDiskUsage, ImageService } from './service.js';
import type { StoredImage } from './store/image-record.js';
import { imageSize } from './store/image-size.js';
import { ImageStore } from './store/image-store.js';

/** The image service for other areas. */
@injectable()
export class ImagesService implements ImageService {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayersInUse) private readonly inUse: LayersInUse,
    @inject(LayerCollector) private readonly collector: LayerCollector,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
    @inject(ImportImage) private readonly importImage: ImportImage,
    @inject(MeasureImages) private readonly measureImages: MeasureImages,
  ) {}

  get count(): number {
    return this.store.size;
  }

  get(reference: string): Image {
    return this.#toImage(this.store.resolve(reference));
  }

  byId(id: string): Image | undefined {
    const image = this.store.byId(id);
    return image === undefined ? undefined : this.#toImage(image);
  }

  descendants(reference: string): ReadonlySet<string> {
    const found = new Set<string>();
    const waiting = [this.#idOf(reference)];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      found.add(id);
      waiting.push(...this.store.childrenOf(id).map(({ record }) => record.id));
    }
    return found;
  }

  hold(id: string): () => void {
    return this.inUse.hold(this.store.byId(id)?.chainIds ?? []);
  }

  diskUsage(): ImageDiskUsage {
    return this.measureImages.measure();
  }

  addUsers(users: ImageUsers): () => void {
    return this.users.add(users);
  }

  import(request: ImportRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    return this.importImage.import(request, options);
  }

  async collect(): Promise<void> {
    await this.collector.collect();
  }

  #idOf(reference: string): string | undefined {
    try {
      return this.store.resolve(reference).record.id;
    } catch (error) {
      if (kindOf(error) !== 'not-found') throw error;
      return undefined;
    }
  }

  #toImage(image: StoredImage): Image {
    const { record, configuration, chainIds } = image;
    const names = this.store.referencesOf(record.id);
    const top = chainIds.at(-1);
    return {
      id: record.id,
      tags: names.filter((name) => !name.includes('@')),
      digests: names.filter((name) => name.includes('@')),
      config: configuration.config ?? {},
      architecture: configuration.architecture,
      os: configuration.os,
      size: imageSize(this.store, image),
      topLayer: top === undefined ? undefined : this.store.layer(top)?.storageId,
    };
  }
}
