import { inject, injectable } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord } from '../record.js';
import type { ListedFacts } from '../wire/live-facts.js';

/** The sizes of containers. */
@injectable()
export class ContainerSizes {
  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'byId'>,
  ) {}

  /** Bytes, measured on disk. */
  async measure(record: ContainerRecord): Promise<NonNullable<ListedFacts['sizes']>> {
    const writable = await this.drivers.storageOf(record).writableSize(record.id);
    return { writable, rootfs: writable + (this.images.byId(record.imageId)?.size ?? 0) };
  }
}
