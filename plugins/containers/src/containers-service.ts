import type { TaskStats } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { Filters } from '@gantry/core/http';
import { ContainerDrivers } from './container-drivers.js';
import { ContainerEvents } from './container-events.js';
import type { Health } from './health.js';
import { FactSources } from './inspection/fact-sources.js';
import { ListContainers } from './inspection/list-containers.js';
import type { ContainerRecord } from './record.js';
import type { ContainerCounts, ContainerService, ContainerUsage } from './service.js';
import { ContainerStore } from './store/container-store.js';
import { ExitListeners } from './supervision/exit-listeners.js';
import { isAlive, isRunning } from './transitions.js';

/** Milliseconds. Clients ask for the usage of the disk again and again, and walking the layers of all containers takes long. */
const usageAge = 10_000;

/** Containers, for other areas. */
@injectable()
export class ContainersService implements ContainerService {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(FactSources) private readonly facts: FactSources,
    @inject(ExitListeners) private readonly exitListeners: ExitListeners,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ListContainers) private readonly listContainers: ListContainers,
  ) {}

  get(reference: string): ContainerRecord {
    return this.store.get(reference).record;
  }

  find(id: string): ContainerRecord | undefined {
    return this.store.byId(id)?.record;
  }

  list(): readonly ContainerRecord[] {
    return Array.from(this.store.all(), (container) => container.record);
  }

  counts(): ContainerCounts {
    let running = 0;
    let paused = 0;
    for (const { record } of this.store.all()) {
      if (record.state.status === 'paused') paused++;
      else if (isRunning(record.state)) running++;
    }
    const total = this.store.size;
    return { total, running, paused, stopped: total - running - paused };
  }

  async taskStats(id: string): Promise<TaskStats | undefined> {
    const record = this.find(id);
    if (record === undefined || !isAlive(record.state)) return undefined;
    try {
      return await this.drivers.runtimeOf(record).stats(id);
    } catch (error) {
      if (kindOf(error) === 'not-found') return undefined;
      throw error;
    }
  }

  async diskUsage(): Promise<readonly ContainerUsage[]> {
    const everything = {
      all: true,
      size: true,
      sizeAge: usageAge,
      limit: 0,
      since: undefined,
      before: undefined,
      filters: Filters.none,
    };
    return JSON.parse(await this.listContainers.list(everything)) as readonly ContainerUsage[];
  }

  publish(containerId: string, action: string, attributes?: Readonly<Record<string, string>>): void {
    const container = this.store.byId(containerId);
    if (container !== undefined) this.events.publish(container.record, action, attributes);
  }

  addExecs(source: (containerId: string) => readonly string[]): () => void {
    return this.facts.addExecs(source);
  }

  addHealth(source: (containerId: string) => Health | undefined): () => void {
    return this.facts.addHealth(source);
  }

  onExit(listener: (containerId: string) => void): () => void {
    return this.exitListeners.add(listener);
  }
}
