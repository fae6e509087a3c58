import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { NetworkService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerUsage } from './container-usage.js';
import { LoggedRecords } from './logging/logged-records.js';
import { ContainerStore } from './store/container-store.js';
import { isAlive } from './transitions.js';

/** Registers the containers with the areas below this one, which ask for them. */
@injectable()
export class ContainerRegistrations {
  constructor(
    @inject(ContainerUsage) private readonly usage: ContainerUsage,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'byId'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(ImageService.token) private readonly images: Pick<ImageService, 'addUsers'>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'addUsers'>,
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'addContainers'>,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'addContainers'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  register(): void {
    this.lifetime.add(this.images.addUsers({ usersOf: (id) => this.usage.ofImage(id) }));
    this.lifetime.add(this.volumes.addUsers({ usersOf: (name) => this.usage.ofVolume(name) }));
    this.lifetime.add(this.networks.addContainers({ isRunning: (id) => this.#isRunning(id) }));
    this.lifetime.add(this.logs.addContainers(this.logged));
  }

  #isRunning(id: string): boolean {
    const container = this.store.byId(id);
    return container !== undefined && isAlive(container.record.state);
  }
}
