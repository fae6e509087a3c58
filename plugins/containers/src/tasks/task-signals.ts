import type { RuntimeDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { conflict, internal, kindOf, messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { ContainerDrivers } from '../container-drivers.js';
import { ContainerEvents } from '../container-events.js';
import { parseSignal, SIGKILL, SIGTERM } from '../signals.js';
import { isAlive, resumeRun } from '../transitions.js';
import { StopRequests } from './stop-requests.js';

export const notRunning = ({ id }: { readonly id: string }) => conflict(`Container ${id} is not running`);

/** What `stop` sends. */
export const stopSignalOf = (container: Container): number => {
  const { StopSignal } = container.record.config;
  return StopSignal ? parseSignal(StopSignal) : SIGTERM;
};

/** Sends signals to the processes of containers. */
@injectable()
export class TaskSignals {
  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(StopRequests) private readonly stopRequests: StopRequests,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Sends one signal and publishes it. SIGKILL and the stop signal also end the restart policy, and resume a paused
   * container. The caller holds the container's mutex.
   */
  async send(container: Container, signal: number): Promise<void> {
    if (!isAlive(container.record.state)) throw notRunning(container);
    const runtime = this.drivers.runtimeOf(container.record);
    const terminates = signal === SIGKILL || signal === stopSignalOf(container);
    if (terminates) await this.stopRequests.record(container);
    try {
      await runtime.kill(container.id, signal);
    } catch (error) {
      // Not found: it has exited at this moment, and the exit is about to be reported.
      if (kindOf(error) !== 'not-found') {
        throw internal(`Cannot kill container: ${container.id}: ${messageOf(error)}`, { cause: error });
      }
    }
    crashPoint('container.kill.signalled');
    this.events.publish(container.record, 'kill', { signal: String(signal) });
    if (terminates && container.record.state.status === 'paused') await this.#resume(container, runtime);
  }

  /** A frozen process cannot handle a signal. */
  async #resume(container: Container, runtime: RuntimeDriver): Promise<void> {
    await runtime.resume(container.id).catch((error: unknown) => {
      const facts = { event: 'container.resume-failed', container: container.id, error };
      this.log.debug(facts, 'failed to resume a killed container');
    });
    await container.change(resumeRun, () => this.events.publish(container.record, 'unpause'));
  }
}
