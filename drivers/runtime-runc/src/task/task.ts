import type { TaskExit, TaskStatus } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import type { TaskLayout } from '../layout.js';
import type { MonitorStreams } from '../streams/monitor-streams.js';
import type { TaskRecord } from './task-record.js';

export type TaskState =
  /** `create` or the removal of its leftovers is going on. */
  | { readonly status: 'creating' }
  | { readonly status: 'created' | 'running' | 'paused'; readonly record: TaskRecord }
  | { readonly status: 'exited'; readonly record: TaskRecord; readonly exit: TaskExit }
  | { readonly status: 'broken'; readonly reason: string };

type LivingState = Extract<TaskState, { readonly status: 'created' | 'running' | 'paused' }>;

/** One task as this daemon knows it. Small: there may be thousands. */
export class Task {
  /** The one connection to its streams. */
  streams: MonitorStreams | undefined;
  attaching = false;
  /** Ends the watch over its exit. */
  unwatch: (() => void) | undefined;
  /** Looks whether it has ended, one after the other. */
  looks: Promise<void> = Promise.resolve();
  /** Takes away what the exit left, which begins without anybody asking. Its failure is for `delete` to meet. */
  purged: Promise<void> | undefined;
  /** Resolves when `create` has come to an end. */
  prepared: Promise<void> = Promise.resolve();
  /** The delete that is going on. */
  deleting: Promise<void> | undefined;
  /** The rotation of the spool that is going on. */
  rotating: Promise<string | undefined> | undefined;
  /** The monitor was told to begin a new spool file and has not been seen to. */
  rotationAsked = false;
  /** Processes of it that the kernel killed for want of memory, as far as that was told. */
  toldKills = 0;
  /** Ids of execs that have not ended. */
  readonly execs = new Set<string>();
  /** By the ids of execs that have: until nothing of them is on disk. */
  readonly endedExecs = new Map<string, Promise<void>>();

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

  get status(): TaskStatus | undefined {
    const { id, state } = this;
    switch (state.status) {
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

  /** The state of a task whose first process is there. @throws `not-found` when it has ended, `conflict` when broken. */
  get living(): LivingState {
    const { id, state } = this;
    switch (state.status) {
      case 'creating':
        throw notFound(`No such task: ${id}`);
      case 'exited':
        throw notFound(`Container ${id} is not running`);
      case 'broken':
        throw conflict(`task ${id} was left over by a crash and can only be deleted: ${state.reason}`);
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
    // An exit may have come between the decision and now; it stays.
    if (this.isLiving) this.state = { status, record: this.living.record };
  }

  finish(record: TaskRecord, exit: TaskExit): void {
    this.state = { status: 'exited', record, exit };
    this.#end();
  }
}
