import type { OciProcess } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { ContainerDrivers } from '../container-drivers.js';
import { SpecBuilder } from '../oci/spec-builder.js';
import type { ExecProcessRequest } from '../oci/spec-request.js';
import type { ContainerRecord } from '../record.js';
import { ContainerLinks } from '../sandbox/container-links.js';
import { ContainerStore } from '../store/container-store.js';
import { notRunning } from '../tasks/task-signals.js';
import { isAlive } from '../transitions.js';
import type { ContainerProcesses, PreparedProcess } from './container-processes.js';

/** Runs further processes in the containers of this engine. */
@injectable()
export class ContainerProcessesService implements ContainerProcesses {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerLinks) private readonly links: ContainerLinks,
    @inject(SpecBuilder) private readonly specs: SpecBuilder,
  ) {}

  requireRunning(reference: string): ContainerRecord {
    return this.#running(reference).record;
  }

  async prepare(reference: string, request: ExecProcessRequest): Promise<PreparedProcess> {
    const container = this.#running(reference);
    const process = await this.#process(container, request);
    return {
      start: (start, options) =>
        this.drivers.runtimeOf(container.record).processes.exec(container.id, { ...start, process }, options),
    };
  }

  async #process(container: Container, exec: ExecProcessRequest): Promise<OciProcess> {
    // It is mounted: the driver only resolves where.
    const rootfs = await this.drivers.mountRoot(container.record);
    const { record } = container;
    return this.specs.execProcess({ record, links: this.links.running(record), rootfs, exec });
  }

  #running(reference: string): Container {
    const container = this.store.get(reference);
    const { id, state } = container.record;
    if (state.status === 'paused') throw conflict(`Container ${id} is paused, unpause the container before exec`);
    if (state.status === 'restarting') {
      throw conflict(`Container ${id} is restarting, wait until the container is running`);
    }
    if (!isAlive(state)) throw notRunning(container);
    return container;
  }
}
