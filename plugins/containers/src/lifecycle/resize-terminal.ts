import type { TerminalSize } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ContainerDrivers } from '../container-drivers.js';
import { ContainerEvents } from '../container-events.js';
import { ContainerStore } from '../store/container-store.js';
import { notRunning } from '../tasks/task-signals.js';
import { isAlive } from '../transitions.js';

/** Spec: POST /containers/(id)/resize. */
@injectable()
export class ResizeTerminal {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  async resize(reference: string, size: TerminalSize): Promise<void> {
    const container = this.store.get(reference);
    if (!isAlive(container.record.state)) throw notRunning(container);
    // Without a terminal there is no size to set, and clients do not expect an error.
    if (container.record.config.Tty !== true) return;
    await this.drivers.runtimeOf(container.record).io.resize(container.id, size);
    this.events.publish(container.record, 'resize', { height: String(size.height), width: String(size.width) });
  }
}
