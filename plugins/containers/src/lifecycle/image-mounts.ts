import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import type { PreparedMount } from '../configuration/mounts/prepared-mount.js';
import type { MountedImage } from '../record.js';

/** The images that are mounted into containers. */
@injectable()
export class ImageMounts {
  constructor(
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'get' | 'hold'>,
    @inject(StorageDrivers.token) private readonly storages: Pick<DriverSet<StorageDriver>, 'get'>,
  ) {}

  /**
   * Creates the writable layer on an image, by which its layers stay. Rejects `not-found` for an unknown image.
   */
  async create({ reference, id }: NonNullable<PreparedMount['image']>, writable: string): Promise<MountedImage> {
    const image = this.images.get(id ?? reference);
    const { topLayer } = image;
    const release = this.images.hold(image.id);
    try {
      await this.storages.get().createWritable({ id: writable, ...(topLayer !== undefined && { parent: topLayer }) });
    } finally {
      release();
    }
    return { reference, id: image.id, writable };
  }
}
