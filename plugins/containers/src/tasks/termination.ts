import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable, settlesWithin, withDeadline } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import { PendingRestarts } from '../restarts/pending-restarts.js';
import { SIGKILL } from '../signals.js';
import { isAlive, isRunning } from '../transitions.js';
import { exitRecorded } from './exit-recorded.js';
import { StopRequests } from './stop-requests.js';
import { notRunning, stopSignalOf, TaskSignals } from './task-signals.js';

/** How long the kernel may take to end a process after SIGKILL, in milliseconds. */
const killTimeout = 10_000;

/** Seconds between the stop signal and SIGKILL when neither the caller nor the container names a time. */
const defaultStopTimeout = 10;

export interface StopOptions {
  /** Until it is killed; negative: never. Default: the container's own time. */
  readonly seconds?: number;
  /** Default: the container's stop signal. */
  readonly signal?: number;
}

/** Ends runs and waits until their exits are recorded and their resources released. */
@injectable()
export class Termination {
  constructor(
    @inject(TaskSignals) private readonly signals: TaskSignals,
    @inject(StopRequests) private readonly stopRequests: StopRequests,
    @inject(PendingRestarts) private readonly restarts: PendingRestarts,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** Sends SIGKILL. Rejects `conflict` when it does not run, `unavailable` when it has not exited within a deadline. */
  async kill(container: Container): Promise<void> {
    const wasRunning = await container.mutex.run(async () => {
      if (container.record.state.status === 'restarting') return this.restarts.cancel(container);
      await this.signals.send(container, SIGKILL);
      // It may have exited by itself, and the restart policy was first.
      if (!isAlive(container.record.state)) await this.restarts.cancel(container);
      return true;
    });
    if (!wasRunning) throw notRunning(container);
    const error = `container ${container.id} is still there ${killTimeout / 1000} s after SIGKILL`;
    await withDeadline({ milliseconds: killTimeout, error, timer: this.clock }, () => exitRecorded(container));
    await container.released;
  }

  /** Sends the stop signal, waits, then kills. Publishes `stop`. */
  async stop(container: Container, { seconds, signal }: StopOptions = {}): Promise<void> {
    const { StopTimeout } = container.record.config;
    await container.mutex.run(async () => {
      await this.stopRequests.record(container);
      crashPoint('container.stop.marked');
      if (isAlive(container.record.state)) await this.signals.send(container, signal ?? stopSignalOf(container));
      crashPoint('container.stop.signalled');
      // Also when it has exited by itself just now, and the restart policy was first.
      if (!isAlive(container.record.state)) await this.restarts.cancel(container);
    });
    const hasExited = await this.#exitsWithin(container, seconds ?? StopTimeout ?? defaultStopTimeout);
    if (!hasExited && isAlive(container.record.state)) {
      await this.kill(container).catch((error: unknown) => {
        if (isRunning(container.record.state)) throw error;
      });
    }
    await container.released;
    crashPoint('container.stop.ended');
    this.events.publish(container.record, 'stop');
  }

  /** Rejects as `exitRecorded` within the time. */
  async #exitsWithin(container: Container, seconds: number): Promise<boolean> {
    const exit = exitRecorded(container);
    if (seconds >= 0 && !(await settlesWithin(exit, seconds * 1000, { timer: this.clock }))) {
      exit.catch(() => undefined);
      return false;
    }
    await exit;
    return true;
  }
}
