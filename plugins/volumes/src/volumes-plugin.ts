import type { VolumeDriver } from '@gantry/core/contracts';
import { type DriverLifecycle, type DriverUse, inject, injectable, type ReplacedDriver } from '@gantry/core/driver';
import { MountedVolumes } from './mounted-volumes.js';
import { VolumeRoutes } from './routes.js';
import { VolumesService } from './volumes-service.js';

/** The hooks of the package. */
@injectable()
export class VolumesPlugin implements DriverLifecycle {
  constructor(
    @inject(MountedVolumes) private readonly mounted: MountedVolumes,
    @inject(VolumesService) private readonly volumes: VolumesService,
    @inject(VolumeRoutes) private readonly routes: VolumeRoutes,
  ) {}

  async start(): Promise<void> {
    this.routes.start();
  }

  driversInUse(): readonly DriverUse[] {
    return this.mounted.driversInUse();
  }

  driverReferences(): readonly DriverUse[] {
    return this.volumes.driverReferences();
  }

  /** A driver keeps the users of its volumes in memory: another version of it is given them as after a restart. */
  async driverReplaced({ name, driver }: ReplacedDriver): Promise<void> {
    const [kind, id = ''] = name.split('/');
    if (kind !== 'volume') return;
    const mounted = this.mounted.of(id);
    await Promise.all(mounted.map(({ volume, containerId }) => (driver as VolumeDriver).mount(volume, containerId)));
  }
}
