import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable, rfc3339, StopSignal } from '@gantry/core/driver';
import { conflict, unavailable } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { deferred } from '../deferred.js';
import { mergeEnvironment } from '../oci/container-environment.js';
import type { ContainerRecord } from '../record.js';
import { StepTimes } from '../tasks/step-times.js';
import { TaskFactory } from '../tasks/task-factory.js';
import { intendStart } from '../transitions.js';
import { FailedStarts } from './failed-starts.js';
import { StartConfirmation } from './start-confirmation.js';

interface StartOptions {
  /** Started by the restart policy, not by a client. */
  readonly byPolicy: boolean;
  /** For clients that attach and name none of their own. */
  readonly detachKeys?: string;
  /** Variables of this run that are not stored. */
  readonly environment?: readonly string[];
}

/** Starts containers: the durable intent, the task, the durable outcome. */
@injectable()
export class ContainerStarter {
  constructor(
    @inject(TaskFactory) private readonly tasks: TaskFactory,
    @inject(FailedStarts) private readonly failedStarts: FailedStarts,
    @inject(StartConfirmation) private readonly confirmation: StartConfirmation,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(StopSignal) private readonly stopping: AbortSignal,
  ) {}

  /** The caller holds the container's mutex. Durable when it resolves; on rejection nothing runs and nothing is held. */
  async start(container: Container, options: StartOptions): Promise<void> {
    if (this.stopping.aborted) throw unavailable('the engine is stopping');
    const { promise: settled, resolve: settle } = deferred();
    const { released } = container;
    container.run = { phase: 'starting', settled, released };
    try {
      await released;
      const since = this.clock.now();
      if (container.isRemoving || !(await container.change(intendStart(rfc3339(since), options)))) {
        throw conflict(`container ${container.id} is marked for removal and cannot be started`);
      }
      crashPoint('container.start.intended');
      await this.#attempt(container, since, options);
    } finally {
      container.run = { phase: 'steady' };
      settle();
    }
  }

  async #attempt(container: Container, since: bigint, options: StartOptions): Promise<void> {
    const times = new StepTimes();
    try {
      const facts = await this.tasks.start(withEnvironment(container.record, options.environment), since, times);
      crashPoint('container.start.started');
      await this.confirmation.confirm(container, facts, times);
      crashPoint('container.start.confirmed');
    } catch (error) {
      await this.failedStarts.rollBack(container, error, options);
      throw error;
    }
  }
}

/** The record of one run, whose further variables are not stored with the container. */
function withEnvironment(record: ContainerRecord, environment: readonly string[] = []): ContainerRecord {
  if (environment.length === 0) return record;
  return { ...record, config: { ...record.config, Env: mergeEnvironment(record.config.Env ?? [], environment) } };
}
