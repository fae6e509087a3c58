import { type Clock, type Logger, rfc3339 } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { AgentSession, AssignedTask, TaskState, TaskStatus } from '@gantry/services/service';
import type { ContainerFacts } from '../containers/container-facts.js';
import { endedStatus } from './ended-status.js';
import type { StatusReporter } from './status-reporter.js';
import type { TaskDriver } from './task-driver.js';
import { nextStep, type TaskStep } from './task-step.js';

export interface WorkerTools {
  readonly session: AgentSession;
  readonly driver: TaskDriver;
  readonly reporter: StatusReporter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly portsOf: (containerId: string) => TaskStatus['PortStatus'];
}

/** Milliseconds after an operation of the engine that failed where it must not. */
const retryDelay = 1_000;

/** Brings one task to its desired state. */
export class TaskWorker {
  #assignment: AssignedTask | undefined;
  /** What the task was while it was the node's: how to stop it stands there. */
  #lastAssignment: AssignedTask | undefined;
  #reached: TaskState;
  #containerId: string | undefined;
  #isBusy = false;
  #isNotified = false;
  #finish: () => void = () => undefined;
  #isFinished = false;

  /** Resolves when its task is not the node's any more, and nothing of it is left. */
  readonly finished = new Promise<void>((resolve) => {
    this.#finish = resolve;
  });

  constructor(
    readonly taskId: string,
    assignment: AssignedTask | undefined,
    containerId: string | undefined,
    private readonly tools: WorkerTools,
  ) {
    this.#assignment = assignment;
    this.#lastAssignment = assignment;
    this.#reached = assignment?.status.State ?? 'orphaned';
    this.#containerId = containerId;
  }

  get containerId(): string | undefined {
    return this.#containerId;
  }

  assign(assignment: AssignedTask | undefined): void {
    this.#assignment = assignment;
    this.#lastAssignment = assignment ?? this.#lastAssignment;
    this.notify();
  }

  /** Something has changed: the task, or its container. */
  notify(): void {
    this.#isNotified = true;
    if (!this.#isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#isNotified && !this.#isFinished && !this.#isSuspended()) {
        this.#isNotified = false;
        await this.#advance();
      }
    } catch (error) {
      this.tools.log.error(
        { event: 'agent.task-failed', task: this.taskId, err: error },
        'task operation failed; retrying',
      );
      this.tools.clock.after(retryDelay, () => this.notify());
    } finally {
      this.#isBusy = false;
    }
  }

  /** The engine stops: containers go on, and the next agent adopts them. */
  #isSuspended(): boolean {
    const { session } = this.tools;
    return session.signal.aborted && !session.hasLeft();
  }

  async #advance(): Promise<void> {
    for (;;) {
      const facts = this.tools.driver.facts(this.taskId, this.#containerId);
      const step = nextStep(this.#assignment, this.#reached, facts);
      if (step === 'wait') return;
      await this.#take(step, facts);
      if (this.#isFinished || this.#isSuspended()) return;
    }
  }

  async #take(step: TaskStep, facts: ContainerFacts): Promise<void> {
    const id = facts.phase === 'absent' ? undefined : facts.id;
    switch (step) {
      case 'create':
        return this.#create();
      case 'start':
        return this.#start(id ?? '');
      case 'stop':
        await this.#drain();
        return this.tools.driver.stop(id ?? '', this.#lastAssignment);
      case 'remove':
        await this.tools.driver.remove(this.taskId, id);
        this.#isFinished = this.#assignment === undefined;
        if (this.#isFinished) this.#finish();
        return;
      case 'report-ready':
        return this.#report({ State: 'ready', Message: 'prepared' }, id);
      case 'report-running':
        return this.#report({ State: 'running', Message: 'started' }, id, facts.phase === 'running' ? facts.pid : 0);
      case 'report-ended':
        if (facts.phase === 'exited') this.#send(endedStatus(facts, this.#now()));
        return;
      case 'report-shut-down':
        // Also when the container was never made, and when it has exited in time by itself.
        if (this.#assignment?.desiredState === 'remove') await this.tools.driver.remove(this.taskId, id);
        return this.#report({ State: 'shutdown', Message: 'shutdown' }, id);
      case 'report-unhealthy':
        return this.#report({ State: 'failed', Message: 'started', Err: 'task: unhealthy container' }, id);
      case 'report-lost':
        return this.#report({ State: 'failed', Message: 'started', Err: 'task: container is gone' }, this.#containerId);
    }
  }

  async #create(): Promise<void> {
    const assignment = this.#assignment as AssignedTask;
    this.#report({ State: 'preparing', Message: 'preparing' }, undefined);
    try {
      this.#containerId = await this.tools.driver.create(assignment, this.tools.session);
    } catch (error) {
      if (this.#isSuspended()) return;
      await this.tools.driver.remove(this.taskId, undefined);
      this.#report({ State: 'rejected', Message: 'preparing', Err: messageOf(error) }, undefined);
    }
  }

  /** Out of the backends of its service everywhere first, then a task is stopped. */
  async #drain(): Promise<void> {
    const { log, session } = this.tools;
    const hasServed = this.#reached === 'running' && (this.#lastAssignment?.networks.length ?? 0) > 0;
    if (!hasServed || session.signal.aborted) return;
    try {
      await session.traffic.drain(this.taskId);
    } catch (err) {
      log.warn(
        { event: 'agent.not-drained', task: this.taskId, err },
        'stopping a task that may still get connections',
      );
    }
  }

  async #start(containerId: string): Promise<void> {
    this.#containerId = containerId;
    this.#report({ State: 'starting', Message: 'starting' }, containerId);
    try {
      await this.tools.driver.start(containerId);
    } catch (error) {
      if (this.#isSuspended()) return;
      const Err = `starting container failed: ${messageOf(error)}`;
      this.#report({ State: 'failed', Message: 'starting', Err }, containerId);
    }
  }

  #report(status: Pick<TaskStatus, 'State' | 'Message' | 'Err'>, containerId: string | undefined, pid = 0): void {
    const ports = status.State === 'running' && containerId !== undefined ? this.tools.portsOf(containerId) : undefined;
    this.#send({
      Timestamp: this.#now(),
      ...status,
      ...(containerId !== undefined && { ContainerStatus: { ContainerID: containerId, PID: pid, ExitCode: 0 } }),
      ...(ports !== undefined && { PortStatus: ports }),
    });
  }

  #send(status: TaskStatus): void {
    this.#reached = status.State;
    this.tools.reporter.report({ taskId: this.taskId, status });
  }

  #now(): string {
    return rfc3339(this.tools.clock.now());
  }
}
