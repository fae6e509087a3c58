import { type DriverLifecycle, type DriverUse, inject, injectable } from '@gantry/core/driver';
import { MountedVolumes } from './mounted-volumes.js';
import { VolumeRoutes } from './routes.js';

/** The hooks of the package. */
@injectable()
export class VolumesPlugin implements DriverLifecycle {
  constructor(
    @inject(MountedVolumes) private readonly mounted: MountedVolumes,
    @inject(VolumeRoutes) private readonly routes: VolumeRoutes,
  ) {}

  async start(): Promise<void> {
    this.routes.start();
  }

  driversInUse(): readonly DriverUse[] {
    return this.mounted.driversInUse();
  }
}
