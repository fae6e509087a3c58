import { inject, injectable, Logger } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { AutoRemoval } from '../removal/auto-removal.js';
import { wantsRestartAtBoot } from '../restarts/restart-policy.js';
import { ContainerStarter } from '../supervision/container-starter.js';
import { RestartScheduler } from '../supervision/restart-scheduler.js';

/** What is due at the start of the daemon for containers that do not run. */
@injectable()
export class BootRestarts {
  constructor(
    @inject(AutoRemoval) private readonly autoRemoval: AutoRemoval,
    @inject(RestartScheduler) private readonly scheduler: RestartScheduler,
    @inject(ContainerStarter) private readonly starter: ContainerStarter,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Removes abandoned containers. */
  removeAbandoned(container: Container): void {
    if (container.record.temporary === true) void this.autoRemoval.removeAbandoned(container);
  }

  /** Restarts the container, or removes it, as its policy requires. In the background. */
  apply(container: Container): void {
    const { state, hostConfig, stoppedByUser, restartCount, temporary } = container.record;
    if (temporary === true) return;
    if (state.status === 'restarting') this.scheduler.schedule(container);
    if (state.status !== 'exited') return;
    if (hostConfig.AutoRemove) {
      void this.autoRemoval.removeExited(container);
      return;
    }
    const { exitCode } = state.last;
    if (!wantsRestartAtBoot(hostConfig.RestartPolicy, { exitCode, stoppedByUser, restartCount })) return;
    void this.#start(container);
  }

  async #start(container: Container): Promise<void> {
    try {
      await container.mutex.run(() => this.starter.start(container, { byPolicy: false }));
    } catch (error) {
      const facts = { event: 'container.restart-failed', container: container.id, error };
      this.log.warn(facts, 'failed to restart a container at the start of the daemon');
    }
  }
}
