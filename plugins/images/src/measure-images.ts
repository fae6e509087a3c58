import { inject, injectable } from '@gantry/core/driver';
import { ListImages } from './list-images.js';
import { RegisteredUsers } from './registered-users.js';
import type { ImageDiskUsage } from './service.js';
import { SharedSizes } from './shared-sizes.js';
import { ImageStore } from './store/image-store.js';
import { toSummary } from './wire.js';

/** Spec: the images of GET /system/df. All of it comes from records: layers are measured when they are made. */
@injectable()
export class MeasureImages {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(ListImages) private readonly listImages: ListImages,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
    @inject(SharedSizes) private readonly sharedSizes: SharedSizes,
  ) {}

  measure(): ImageDiskUsage {
    const sharedSize = this.sharedSizes.measure();
    const listed = this.listImages.list({ all: false, labels: [], before: [], since: [], references: [] });
    const images = listed.map((image) => ({
      ...toSummary(image),
      SharedSize: sharedSize(image.image),
      Containers: this.users.usersOf(image.image.record.id).length,
    }));
    const layersSize = [...this.store.layers()].reduce((sum, { size }) => sum + size, 0);
    return { layersSize, images };
  }
}
