import { randomBytes } from 'node:crypto';
import { ContainerProcesses, ContainerService } from '@gantry/containers/service';
import type { ExecProcess, TerminalSize } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, EngineError, invalidArgument, notFound } from '@gantry/core/errors';
import type { Exec, ExecConfig } from './exec-record.js';

/** For how long an exited exec can be inspected, in milliseconds. */
export const ExecRetention = Symbol('exec-retention');

/** Exec instances of all containers. */
@injectable()
export class ExecService {
  readonly #execs = new Map<string, Exec>();
  /** Of starts that are under way: resolves `settled` of their state. */
  readonly #settle = new Map<string, () => void>();

  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'publish'>,
    @inject(ContainerProcesses.token) private readonly processes: ContainerProcesses,
    @inject(ExecRetention) private readonly retention: number,
  ) {}

  /** Rejects `not-found`, `conflict` when the container is paused or does not run, `invalid-argument`. */
  create(container: string, config: ExecConfig): Exec {
    if (config.args.length === 0) throw invalidArgument('No exec command specified');
    const { id: containerId } = this.processes.requireRunning(container);
    const id = randomBytes(32).toString('hex');
    const exec: Exec = { id, containerId, config, state: { status: 'created' } };
    this.#execs.set(id, exec);
    this.#publish(exec, 'exec_create');
    return exec;
  }

  /** Rejects `not-found`. */
  get(id: string): Exec {
    const exec = this.#execs.get(id);
    if (exec === undefined) throw notFound(`No such exec instance: ${id}`);
    return exec;
  }

  /** Ids of a container's instances that have not ended, for inspect. */
  idsOf(containerId: string): readonly string[] {
    return [...this.#execs.values()]
      .filter((exec) => exec.containerId === containerId && exec.state.status !== 'exited')
      .map(({ id }) => id);
  }

  /** Claims an instance for a start, which only one caller can. Rejects `not-found`, `conflict`. */
  claim(id: string): Exec {
    const exec = this.get(id);
    if (exec.state.status !== 'created') throw conflict(`Error: Exec command ${id} has already run`);
    this.processes.requireRunning(exec.containerId);
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    exec.state = { status: 'starting', settled };
    this.#settle.set(id, settle);
    return exec;
  }

  /** Releases a claimed instance that is not started after all. */
  release(exec: Exec): void {
    if (exec.state.status === 'starting') this.#move(exec, { status: 'created' });
  }

  /**
   * Starts a claimed instance. A program that cannot be started ends it with 126, whatever the reason; rejects with what
   * clients print for it.
   */
  async start(exec: Exec, options: { readonly detached: boolean }): Promise<ExecProcess> {
    try {
      const { config } = exec;
      const process = await this.processes.prepare(exec.containerId, {
        args: config.args,
        privileged: config.privileged,
        terminal: config.tty,
        env: config.env,
        ...(config.user !== '' && { user: config.user }),
        ...(config.workingDir !== '' && { workingDir: config.workingDir }),
      });
      this.#publish(exec, 'exec_start');
      crashPoint('exec.claimed');
      const started = await process.start({
        execId: exec.id,
        openStdin: config.attachStdin && !options.detached,
        detached: options.detached,
      });
      crashPoint('exec.started');
      this.#move(exec, { status: 'running', process: started });
      void started.exited.then((exitCode) => this.#end(exec, exitCode, started.pid));
      return started;
    } catch (error) {
      this.#end(exec, 126, 0);
      throw error;
    }
  }

  /** Rejects `not-found`, also when it does not run. */
  async resize(id: string, size: TerminalSize): Promise<void> {
    const exec = this.get(id);
    // Clients set the size as soon as they have asked for the start.
    if (exec.state.status === 'starting') await exec.state.settled;
    const { state } = exec;
    if (state.status !== 'running') throw notFound(`exec ${id} is not running`);
    // Without a terminal there is no size to set, and clients do not expect an error.
    if (exec.config.tty) await state.process.resize(size);
  }

  /** Publishes that a client has detached by its detach keys. */
  detached(exec: Exec): void {
    this.containers.publish(exec.containerId, 'exec_detach', { execID: exec.id });
  }

  /** Forgets instances that were not started: nothing can start them until the container runs again. */
  containerExited(containerId: string): void {
    for (const exec of this.#execs.values()) {
      if (exec.containerId === containerId && exec.state.status === 'created') this.#execs.delete(exec.id);
    }
  }

  #end(exec: Exec, exitCode: number, pid: number): void {
    this.#move(exec, { status: 'exited', exitCode, pid });
    try {
      this.containers.publish(exec.containerId, 'exec_die', { execID: exec.id, exitCode: String(exitCode) });
    } catch (error) {
      // The container was removed while its last exec exited.
      if (!EngineError.is(error)) throw error;
    }
    this.#forgetLater(exec);
  }

  #forgetLater(exec: Exec): void {
    const forget = (): void => {
      if (exec.state.status === 'created' || exec.state.status === 'exited') this.#execs.delete(exec.id);
    };
    setTimeout(forget, this.retention).unref();
  }

  #move(exec: Exec, state: Exec['state']): void {
    exec.state = state;
    this.#settle.get(exec.id)?.();
    this.#settle.delete(exec.id);
  }

  #publish(exec: Exec, action: string): void {
    this.containers.publish(exec.containerId, `${action}: ${exec.config.args.join(' ')}`, { execID: exec.id });
  }
}
