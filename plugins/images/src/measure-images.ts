import { inject, injectable } from '@gantry/core/driver';
import { ListImages } from './list-images.js';
import { RegisteredUsers } from './registered-users.js';
import type { ImageDiskUsage } from './service.js';
import type { StoredImage } from './store/image-record.js';
import { ImageStore } from './store/image-store.js';
import { toSummary } from './wire.js';

/** Spec: the images of GET /system/df. All of it comes from records: layers are measured when they are made. */
@injectable()
export class MeasureImages {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(ListImages) private readonly listImages: ListImages,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
  ) {}

  measure(): ImageDiskUsage {
    const users = this.#layerUsers();
    const listed = this.listImages.list({ all: false, labels: [], before: [], since: [], references: [] });
    const images = listed.map((image) => ({
      ...toSummary(image),
      SharedSize: this.#sharedSize(image.image, users),
      Containers: this.users.usersOf(image.image.record.id).length,
    }));
    const layersSize = [...this.store.layers()].reduce((sum, { size }) => sum + size, 0);
    return { layersSize, images };
  }

  /** How many images have each layer. */
  #layerUsers(): ReadonlyMap<string, number> {
    const users = new Map<string, number>();
    for (const { chainIds } of this.store.images()) {
      for (const chainId of chainIds) users.set(chainId, (users.get(chainId) ?? 0) + 1);
    }
    return users;
  }

  #sharedSize({ chainIds }: StoredImage, users: ReadonlyMap<string, number>): number {
    const shared = chainIds.filter((chainId) => (users.get(chainId) ?? 0) > 1);
    return shared.reduce((sum, chainId) => sum + (this.store.layer(chainId)?.size ?? 0), 0);
  }
}
