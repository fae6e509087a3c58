import { ContainerLogs } from '@gantry/container-logs/service';
import type { TaskStartFailure } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import type { ContainerRecord, StartFailure } from '../record.js';
import { AutoRemoval } from '../removal/auto-removal.js';
import { RestartBackOff } from '../restarts/restart-back-off.js';
import { afterExit } from '../restarts/restart-policy.js';
import { RunResources } from '../tasks/run-resources.js';
import { type AfterExit, abandonStart } from '../transitions.js';

/** Rolls back starts that fail. */
@injectable()
export class FailedStarts {
  constructor(
    @inject(RunResources) private readonly resources: RunResources,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'finish'>,
    @inject(RestartBackOff) private readonly backOff: RestartBackOff,
    @inject(AutoRemoval) private readonly autoRemoval: AutoRemoval,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Releases what the start has acquired, stores why it failed and publishes `die` with the exit code, which clients wait
   * for. Never rejects.
   */
  async rollBack(container: Container, error: unknown, { byPolicy }: { readonly byPolicy: boolean }): Promise<void> {
    await this.resources.release(container);
    this.logs.finish(container.id);
    const failure = failureOf(error);
    const after = (record: ContainerRecord) => (byPolicy ? this.#next(container, record, failure) : 'stays');
    const announce = () => this.events.publish(container.record, 'die', { exitCode: String(failure.exitCode) });
    await container.change(abandonStart(failure, after), announce).catch((fault: unknown) => {
      const facts = { event: 'container.not-stored', container: container.id, error: fault };
      this.log.error(facts, 'failed to store that the start of a container failed');
    });
    if (!byPolicy && container.record.hostConfig.AutoRemove) void this.autoRemoval.removeExited(container);
  }

  /** What the restart policy requires after a failed start. */
  #next(container: Container, record: ContainerRecord, { exitCode }: StartFailure): AfterExit {
    const { hostConfig, stoppedByUser, restartCount } = record;
    const delay = { last: this.backOff.last(container), ranFor: 0 };
    return afterExit(hostConfig.RestartPolicy, { exitCode, stoppedByUser, restartCount }, delay);
  }
}

const failureOf = (error: unknown): StartFailure => ({
  message: messageOf(error),
  exitCode: (error as Partial<TaskStartFailure>).exitCode ?? 128,
});
