import { inject, injectable } from '@gantry/core/driver';
import { parseSignal, SIGKILL } from '../signals.js';
import { ContainerStore } from '../store/container-store.js';
import { TaskSignals } from '../tasks/task-signals.js';
import { Termination } from '../tasks/termination.js';

/** Spec: POST /containers/(id)/kill. */
@injectable()
export class KillContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(TaskSignals) private readonly signals: TaskSignals,
    @inject(Termination) private readonly termination: Termination,
  ) {}

  /** After SIGKILL, the default, it resolves when the container has exited. */
  async kill(reference: string, signal: string | undefined): Promise<void> {
    const number = signal === undefined || signal === '' ? SIGKILL : parseSignal(signal);
    const container = this.store.get(reference);
    if (number === SIGKILL) await this.termination.kill(container);
    else await container.mutex.run(() => this.signals.send(container, number));
  }
}
