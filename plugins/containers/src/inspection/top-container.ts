import type { ProcessTable, RuntimeDriver, TaskProcesses } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, notImplemented } from '@gantry/core/errors';
import { ContainerDrivers } from '../container-drivers.js';
import { ContainerEvents } from '../container-events.js';
import { ContainerStore } from '../store/container-store.js';
import { notRunning } from '../tasks/task-signals.js';
import { isAlive } from '../transitions.js';

type Listing = RuntimeDriver & { readonly processes: Required<TaskProcesses> };
const lists = (runtime: RuntimeDriver): runtime is Listing => runtime.capabilities.processTable === true;

/** Spec: GET /containers/(id)/top. */
@injectable()
export class TopContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  /** `args` as on the command line of ps(1). */
  async top(reference: string, args: string, options: { readonly signal: AbortSignal }): Promise<ProcessTable> {
    const container = this.store.get(reference);
    const { record } = container;
    const { state, id } = record;
    if (state.status === 'restarting') {
      throw conflict(`Container ${id} is restarting, wait until the container is running`);
    }
    if (!isAlive(state)) throw notRunning(container);
    const runtime = this.drivers.runtimeOf(record);
    if (!lists(runtime)) throw notImplemented('the runtime of this container cannot list its processes');
    const words = args.split(/\s+/).filter((word) => word !== '');
    const table = await runtime.processes.table(id, words.length > 0 ? words : ['-ef'], options);
    this.events.publish(record, 'top');
    return table;
  }
}
