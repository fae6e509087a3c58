import { inject, injectable, Logger, StopSignal } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { PendingRestarts } from '../restarts/pending-restarts.js';
import { RestartBackOff } from '../restarts/restart-back-off.js';
import { wantsRestart } from '../restarts/restart-policy.js';
import { endRestarts } from '../transitions.js';
import { ContainerStarter } from './container-starter.js';

/** Restarts containers as their policies require. */
@injectable()
export class RestartScheduler {
  constructor(
    @inject(PendingRestarts) private readonly pending: PendingRestarts,
    @inject(RestartBackOff) private readonly backOff: RestartBackOff,
    @inject(ContainerStarter) private readonly starter: ContainerStarter,
    @inject(StopSignal) private readonly stopping: AbortSignal,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Starts a container in the state `restarting` after its delay; for any other state the back-off starts anew. */
  schedule(container: Container): void {
    const { state } = container.record;
    if (state.status !== 'restarting') {
      this.backOff.reset(container);
      return;
    }
    this.backOff.record(container, state.delayMs);
    this.pending.schedule(container, state.delayMs, () => {
      void container.mutex.run(() => this.#restart(container));
    });
  }

  /** Never rejects. */
  async #restart(container: Container): Promise<void> {
    const { state, hostConfig, restartCount, stoppedByUser } = container.record;
    if (state.status !== 'restarting' || container.isRemoving || this.stopping.aborted) return;
    // The policy may have been updated meanwhile.
    const ended = { exitCode: state.last.exitCode, stoppedByUser, restartCount };
    try {
      if (wantsRestart(hostConfig.RestartPolicy, ended)) await this.starter.start(container, { byPolicy: true });
      else await container.change(endRestarts);
    } catch (error) {
      const facts = { event: 'container.restart-failed', container: container.id, error };
      this.log.warn(facts, 'failed to restart a container by its policy');
      // A port, a volume or the disk may be available in a moment: a failed start counts as a failed run.
      if (container.record.state.status === 'restarting') this.schedule(container);
    }
  }
}
