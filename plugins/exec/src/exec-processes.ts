import { ContainerProcesses } from '@gantry/containers/service';
import { type ExecProcess, TaskStartError, type TerminalSize } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { ExecEvents } from './exec-events.js';
import type { Exec } from './exec-record.js';
import { ExecStore } from './exec-store.js';

export interface StartOptions {
  /** Exit codes say why a program could not be started. */
  readonly distinctCodes: boolean;
  /** Of the terminal, in place of the one the instance was created with. */
  readonly consoleSize?: TerminalSize | undefined;
}

/** Starts the processes of claimed instances, and records their exits. */
@injectable()
export class ExecProcesses {
  constructor(
    @inject(ContainerProcesses.token) private readonly processes: ContainerProcesses,
    @inject(ExecStore) private readonly store: ExecStore,
    @inject(ExecEvents) private readonly events: ExecEvents,
  ) {}

  /**
   * A program that cannot be started ends the instance: with 127 where it is missing and the client expects distinct codes, with
   * 126 otherwise. Rejects with what clients print for it.
   */
  async start(exec: Exec, options: StartOptions & { readonly detached: boolean }): Promise<ExecProcess> {
    try {
      const { config } = exec;
      const consoleSize = options.consoleSize ?? config.consoleSize;
      const process = await this.processes.prepare(exec.containerId, {
        args: config.args,
        privileged: config.privileged,
        terminal: config.tty,
        env: config.env,
        ...(config.user !== '' && { user: config.user }),
        ...(config.workingDir !== '' && { workingDir: config.workingDir }),
        ...(consoleSize && { consoleSize }),
      });
      this.events.starting(exec);
      crashPoint('exec.claimed');
      const started = await process.start({
        execId: exec.id,
        openStdin: config.attachStdin && !options.detached,
        detached: options.detached,
      });
      crashPoint('exec.started');
      this.store.move(exec, { status: 'running', process: started });
      void started.exited.then((exitCode) => this.#exit(exec, exitCode, started.pid));
      return started;
    } catch (error) {
      this.#exit(exec, options.distinctCodes && error instanceof TaskStartError ? error.exitCode : 126, 0);
      throw error;
    }
  }

  #exit(exec: Exec, exitCode: number, pid: number): void {
    this.store.move(exec, { status: 'exited', exitCode, pid });
    this.events.exited(exec, exitCode);
  }
}
