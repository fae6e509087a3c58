import { inject, injectable, Logger } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { imagesOf } from '../mounts/image-writables.js';
import type { ContainerRecord } from '../record.js';

/** Layers of images that were removed before the container, which was their last user. */
@injectable()
export class UnusedLayers {
  constructor(
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'byId' | 'collect'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects: a failure is logged. */
  async collect(record: ContainerRecord): Promise<void> {
    if (imagesOf(record).every((id) => this.images.byId(id) !== undefined)) return;
    await this.images.collect().catch((error: unknown) => {
      const facts = { event: 'container.layers-not-collected', error };
      this.log.warn(facts, 'failed to delete the layers of removed images');
    });
  }
}
