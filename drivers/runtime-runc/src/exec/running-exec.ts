import type { ExecProcess, TaskStreams, TerminalSize } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import type { Processes } from '@gantry/lib-linux/processes';
import { sendResize } from '../monitor/control.js';
import { identify, type ProcessIdentity, signal } from '../process-identity.js';
import { checkSize } from '../task/resize-task.js';

/** A process that has been started in a task, with or without a monitor. */
export interface StartedExec {
  readonly pid: number;
  readonly streams: TaskStreams | undefined;
  /** The exit code, 255 when it was lost. Never rejects. */
  readonly ended: Promise<number>;
  /** The FIFO that takes sizes, for one with a terminal. */
  readonly control: string | undefined;
  /** Stops waiting for the end. The process goes on. */
  abandon(): void;
}

/** A further process of a task, until it has ended. */
export class RunningExec implements ExecProcess {
  readonly pid: number;
  readonly streams: TaskStreams | undefined;
  readonly exited: Promise<number>;
  /** Undefined when it had exited before it could be identified. */
  readonly #process: ProcessIdentity | undefined;
  #hasExited = false;
  /** The removal of its files; `exited` does not wait for it. */
  #removed: Promise<void> | undefined;

  /** `remove` removes its files; it is called after the exit. */
  constructor(
    private readonly processes: Processes,
    private readonly started: StartedExec,
    private readonly remove: () => Promise<void>,
  ) {
    this.pid = started.pid;
    this.streams = started.streams;
    this.#process = identify(processes, started.pid);
    this.exited = this.#exit();
  }

  /** Resolves when it has exited and its streams are read to the end or closed. */
  get finished(): Promise<void> {
    const { streams } = this;
    const closed =
      streams === undefined || streams.output.closed
        ? Promise.resolve()
        : new Promise<void>((resolve) => streams.output.once('close', () => resolve()));
    return Promise.all([this.exited, closed]).then(() => this.#removed);
  }

  async resize(size: TerminalSize): Promise<void> {
    const { control } = this.started;
    if (control === undefined) throw conflict('the process has no terminal');
    checkSize(size);
    if (this.#hasExited || !(await sendResize(control, size))) throw this.#hasEnded();
  }

  async kill(number: number): Promise<void> {
    if (this.#hasExited || this.#process === undefined || !signal(this.processes, this.#process, number)) {
      throw this.#hasEnded();
    }
  }

  /** Closes everything that is open. The process goes on, its exit code is lost. */
  abandon(): void {
    this.streams?.close();
    this.started.abandon();
  }

  async #exit(): Promise<number> {
    const code = await this.started.ended;
    this.#hasExited = true;
    this.#removed = this.remove().catch(() => undefined);
    return code;
  }

  #hasEnded(): Error {
    return notFound(`process ${this.pid} has ended`);
  }
}
