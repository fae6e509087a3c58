import type { ExecProcess, TaskStreams, TerminalSize } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { sendResize } from '../monitor/control.js';
import type { Ports } from '../ports.js';
import { identify, type ProcessIdentity, signal } from '../process-identity.js';
import { checkSize } from '../task/resize-task.js';

/** A process that has been started in a task, by whichever way. */
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
  /** Undefined when it had ended before anybody looked. */
  readonly #process: ProcessIdentity | undefined;
  #hasExited = false;
  /** Nobody who waits for the end waits for this, too. */
  #forgotten: Promise<void> | undefined;

  /** `forget` takes away what is on disk; it is called after the end. */
  constructor(
    private readonly ports: Ports,
    private readonly started: StartedExec,
    private readonly forget: () => Promise<void>,
  ) {
    this.pid = started.pid;
    this.streams = started.streams;
    this.#process = identify(ports.processes, started.pid);
    this.exited = this.#exit();
  }

  /** Resolves when nothing of it is open any more: it has ended, and somebody has read or closed its streams. */
  get finished(): Promise<void> {
    const { streams } = this;
    const closed =
      streams === undefined || streams.output.closed
        ? Promise.resolve()
        : new Promise<void>((resolve) => streams.output.once('close', () => resolve()));
    return Promise.all([this.exited, closed]).then(() => this.#forgotten);
  }

  async resize(size: TerminalSize): Promise<void> {
    const { control } = this.started;
    if (control === undefined) throw conflict('the process has no terminal');
    checkSize(size);
    if (this.#hasExited || !(await sendResize(control, size))) throw this.#gone();
  }

  async kill(number: number): Promise<void> {
    if (this.#hasExited || this.#process === undefined || !signal(this.ports.processes, this.#process, number)) {
      throw this.#gone();
    }
  }

  /** Lets go of everything that is open. The process goes on, its exit code is lost. */
  abandon(): void {
    this.streams?.close();
    this.started.abandon();
  }

  async #exit(): Promise<number> {
    const code = await this.started.ended;
    this.#hasExited = true;
    this.#forgotten = this.forget().catch(() => undefined);
    return code;
  }

  #gone(): Error {
    return notFound(`process ${this.pid} has ended`);
  }
}
