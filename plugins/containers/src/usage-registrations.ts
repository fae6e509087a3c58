import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerUsage } from './container-usage.js';

/** Registers containers as the users of images and volumes. */
@injectable()
export class UsageRegistrations {
  constructor(
    @inject(ContainerUsage) private readonly usage: ContainerUsage,
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'addUsers'>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'addUsers'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  register(): void {
    this.lifetime.add(this.images.addUsers({ usersOf: (id) => this.usage.ofImage(id) }));
    this.lifetime.add(this.volumes.addUsers({ usersOf: (name) => this.usage.ofVolume(name) }));
  }
}
