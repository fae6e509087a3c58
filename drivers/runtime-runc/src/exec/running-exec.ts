import type { ExecProcess, TerminalSize } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { sendResize } from '../monitor/control.js';
import type { LaunchedMonitor } from '../monitor/monitor-launch.js';
import type { Ports } from '../ports.js';
import { identify, type ProcessIdentity, signal } from '../process-identity.js';
import type { MonitorStreams } from '../streams/monitor-streams.js';

export interface RunningExecParts {
  readonly ports: Ports;
  readonly pid: number;
  readonly terminal: boolean;
  readonly layout: { readonly control: string };
  readonly monitor: LaunchedMonitor;
  readonly streams: MonitorStreams | undefined;
  /** Takes away what is on disk. */
  readonly forget: () => Promise<void>;
}

/** A further process of a task, until it has ended. */
export class RunningExec implements ExecProcess {
  readonly pid: number;
  readonly streams: MonitorStreams | undefined;
  readonly exited: Promise<number>;
  /** Undefined when it had ended before anybody looked. */
  readonly #process: ProcessIdentity | undefined;
  #hasExited = false;

  constructor(private readonly parts: RunningExecParts) {
    this.pid = parts.pid;
    this.streams = parts.streams;
    this.#process = identify(parts.ports.processes, parts.pid);
    this.exited = this.#exit();
  }

  /** Resolves when nothing of it is open any more: it has ended, and somebody has read or closed its streams. */
  get finished(): Promise<void> {
    const { streams } = this;
    const closed =
      streams === undefined || streams.output.closed
        ? Promise.resolve()
        : new Promise<void>((resolve) => streams.output.once('close', () => resolve()));
    return Promise.all([this.exited, closed]).then(() => undefined);
  }

  async resize(size: TerminalSize): Promise<void> {
    if (!this.parts.terminal) throw conflict('the process has no terminal');
    if (this.#hasExited || !(await sendResize(this.parts.layout.control, size))) throw this.#gone();
  }

  async kill(number: number): Promise<void> {
    if (this.#hasExited || this.#process === undefined || !signal(this.parts.ports.processes, this.#process, number)) {
      throw this.#gone();
    }
  }

  /** Stops waiting: the code is lost. The process goes on. */
  abandon(): void {
    this.streams?.close();
    this.parts.monitor.close();
  }

  async #exit(): Promise<number> {
    const report = await this.parts.monitor.sync.next();
    this.#hasExited = true;
    this.parts.monitor.close();
    await this.parts.forget().catch(() => undefined);
    return report === undefined || report.data < 0 ? 255 : report.data;
  }

  #gone(): Error {
    return notFound(`process ${this.pid} has ended`);
  }
}
