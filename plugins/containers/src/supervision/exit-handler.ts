import { ContainerLogs } from '@gantry/container-logs/service';
import type { RuntimeDriver, TaskExit } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { deferred } from '../deferred.js';
import { AutoRemoval } from '../removal/auto-removal.js';
import { ContainerStore } from '../store/container-store.js';
import { isForeignTask } from '../tasks/is-foreign-task.js';
import { RunResources } from '../tasks/run-resources.js';
import { isAlive } from '../transitions.js';
import { ExitRecorder } from './exit-recorder.js';
import { RestartScheduler } from './restart-scheduler.js';

/** Handles the exits of containers' tasks. */
@injectable()
export class ExitHandler {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ExitRecorder) private readonly recorder: ExitRecorder,
    @inject(RunResources) private readonly resources: RunResources,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'finish'>,
    @inject(RestartScheduler) private readonly restarts: RestartScheduler,
    @inject(AutoRemoval) private readonly autoRemoval: AutoRemoval,
  ) {}

  /**
   * Records the exit and publishes it; then, in the background, releases the resources of the run and does what the
   * restart policy or AutoRemove require. Resolves when the exit is published.
   */
  async handle(runtime: RuntimeDriver, exit: TaskExit): Promise<void> {
    if (isForeignTask(exit.id)) return;
    const container = this.store.byId(exit.id);
    if (container === undefined) {
      if (!this.store.has(exit.id)) await runtime.delete(exit.id, { force: true });
      return;
    }
    await container.startSettled;
    // A start that failed has released everything itself.
    if (!isAlive(container.record.state)) return;
    const { promise: released, resolve: release } = deferred();
    container.run = { phase: 'ending', released };
    const settle = (): void => {
      // A start that waits for the release has set its own phase.
      if (container.run.phase === 'ending' && container.run.released === released) container.run = { phase: 'steady' };
      release();
    };
    try {
      const isRecorded = await this.recorder.record(container, exit);
      crashPoint('container.exit.recorded');
      if (isRecorded) void this.#settle(container, settle);
      else settle();
    } catch (error) {
      settle();
      throw error;
    }
  }

  async #settle(container: Container, settle: () => void): Promise<void> {
    this.logs.finish(container.id);
    await this.resources.release(container);
    crashPoint('container.exit.released');
    settle();
    this.restarts.schedule(container);
    const { hostConfig, state } = container.record;
    if (hostConfig.AutoRemove && state.status === 'exited' && !container.isRemoving) {
      await this.autoRemoval.removeExited(container);
    }
  }
}
