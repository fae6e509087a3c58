import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { NetworkService } from '@gantry/networks/service';
import { LoggedRecords } from './logging/logged-records.js';
import { ContainerStore } from './store/container-store.js';
import { isAlive } from './transitions.js';
import { UsageRegistrations } from './usage-registrations.js';

/** Registers the containers with the areas below this one, which ask for them. */
@injectable()
export class ContainerRegistrations {
  constructor(
    @inject(UsageRegistrations) private readonly usage: UsageRegistrations,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'byId'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'addContainers'>,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'addContainers'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  register(): void {
    this.usage.register();
    this.lifetime.add(this.networks.addContainers({ isRunning: (id) => this.#isRunning(id) }));
    this.lifetime.add(this.logs.addContainers(this.logged));
  }

  #isRunning(id: string): boolean {
    const container = this.store.byId(id);
    return container !== undefined && isAlive(container.record.state);
  }
}
