import type { TaskExit, TaskStatus } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import type { TaskLayout } from '../layout.js';
import type { MonitorStreams } from '../streams/monitor-streams.js';
import type { WaitingMonitor } from './launch-monitor.js';
import type { TaskRecord } from './task-record.js';

export type TaskState =
  /** Its monitor waits for `create`. */
  | { readonly status: 'prepared'; readonly monitor: WaitingMonitor }
  /** `create`, or the rollback of one that failed, is in progress; `settled` resolves at its end and never rejects. */
  | { readonly status: 'creating'; readonly settled: Promise<void> }
  | { readonly status: 'created' | 'running' | 'paused'; readonly record: TaskRecord }
  | {
      readonly status: 'exited';
      readonly record: TaskRecord;
      readonly exit: TaskExit;
      /** The clean-up that begins with the exit; undefined until then. It may reject: `delete` retries it. */
      readonly cleanUp?: Promise<void>;
    }
  | { readonly status: 'broken'; readonly reason: string };

/** The state of a task that is being created, and what ends it. */
export function creating() {
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { state: { status: 'creating', settled } as const, settle };
}

type LivingState = Extract<TaskState, { readonly status: 'created' | 'running' | 'paused' }>;

/** The one connection to a task's streams. */
type Attachment =
  | { readonly status: 'none' | 'connecting' }
  | { readonly status: 'open'; readonly streams: MonitorStreams };

/** One task as this daemon knows it. Small: there may be thousands. */
export class Task {
  attachment: Attachment = { status: 'none' };
  /** The deletion in progress. */
  deletion: Promise<void> | undefined;
  /** How many of its processes the kernel killed because memory ran out, as far as that was published. */
  reportedOomKills = 0;

  readonly ended: Promise<void>;
  #end: () => void = () => undefined;

  constructor(
    readonly id: string,
    readonly layout: TaskLayout,
    public state: TaskState,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Undefined before it is created. */
  get status(): TaskStatus | undefined {
    const { id, state } = this;
    switch (state.status) {
      case 'prepared':
      case 'creating':
        return undefined;
      case 'broken':
        return { id, status: 'broken', reason: state.reason };
      case 'exited':
        return { ...state.exit, status: 'exited' };
      default:
        return { id, status: state.status, pid: state.record.first.pid };
    }
  }

  /** @throws EngineError `not-found` for a task that is not created yet. */
  get knownStatus(): TaskStatus {
    const { status } = this;
    if (status === undefined) throw notFound(`No such task: ${this.id}`);
    return status;
  }

  /** The state of a task whose first process exists. @throws `not-found` when it has exited, `conflict` when broken. */
  get living(): LivingState {
    const { id, state } = this;
    switch (state.status) {
      case 'prepared':
      case 'creating':
        throw notFound(`No such task: ${id}`);
      case 'exited':
        throw notFound(`Container ${id} is not running`);
      case 'broken':
        throw conflict(`task ${id} was orphaned by a crash and can only be deleted: ${state.reason}`);
      default:
        return state;
    }
  }

  get isLiving(): boolean {
    const { status } = this.state;
    return status === 'created' || status === 'running' || status === 'paused';
  }

  /** The record of a task that has one. */
  get record(): TaskRecord | undefined {
    return 'record' in this.state ? this.state.record : undefined;
  }

  become(status: LivingState['status']): void {
    // An exit may have been processed since the caller decided; it wins.
    if (this.isLiving) this.state = { status, record: this.living.record };
  }

  finish(record: TaskRecord, exit: TaskExit): void {
    this.state = { status: 'exited', record, exit };
    this.#end();
  }

  /** Closes the connection to its streams, if there is one. */
  detach(): void {
    if (this.attachment.status === 'open') this.attachment.streams.close();
  }
}
