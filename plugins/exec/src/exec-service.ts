import { randomBytes } from 'node:crypto';
import type { ContainerService } from '@gantry/containers/service';
import { type ExecProcess, TaskStartError, type TerminalSize } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { conflict, EngineError, invalidArgument, notFound } from '@gantry/core/errors';
import type { Exec, ExecConfig } from './exec-record.js';

/** How long an ended exec can still be inspected, in milliseconds. */
const defaultKeptAfterEnd = 5 * 60_000;

/** Exec instances of all containers. */
export class ExecService {
  readonly #execs = new Map<string, Exec>();
  /** Of starts under way: tells who waits that they came to an end. */
  readonly #settle = new Map<string, () => void>();

  constructor(
    private readonly containers: Pick<ContainerService, 'execTarget' | 'publish'>,
    private readonly keptAfterEnd = defaultKeptAfterEnd,
  ) {}

  /** Rejects `not-found`, `conflict` when the container is paused or does not run, `invalid-argument`. */
  create(container: string, config: ExecConfig): Exec {
    if (config.args.length === 0) throw invalidArgument('No exec command specified');
    const target = this.containers.execTarget(container);
    const id = randomBytes(32).toString('hex');
    const exec: Exec = { id, containerId: target.container.id, config, state: { status: 'created' } };
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

  /**
   * Checks that an instance can be started and takes it: of two starts only one goes on.
   * Rejects `not-found`, `conflict`.
   */
  claim(id: string): Exec {
    const exec = this.get(id);
    if (exec.state.status !== 'created') throw conflict(`Error: Exec command ${id} has already run`);
    this.containers.execTarget(exec.containerId);
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    exec.state = { status: 'starting', settled };
    this.#settle.set(id, settle);
    return exec;
  }

  /** Gives a claimed instance back that will not be started after all. */
  giveUp(exec: Exec): void {
    if (exec.state.status === 'starting') this.#move(exec, { status: 'created' });
  }

  /**
   * Starts a claimed instance. A program that cannot be started ends it with 126 or 127; rejects with what clients
   * print for it.
   */
  async start(exec: Exec, options: { readonly detached: boolean }): Promise<ExecProcess> {
    try {
      const { runtime, ...target } = this.containers.execTarget(exec.containerId);
      const { config } = exec;
      const process = await target.process({
        args: config.args,
        privileged: config.privileged,
        terminal: config.tty,
        env: config.env,
        ...(config.user !== '' && { user: config.user }),
        ...(config.workingDir !== '' && { workingDir: config.workingDir }),
      });
      this.#publish(exec, 'exec_start');
      crashPoint('exec.claimed');
      const started = await runtime.exec(exec.containerId, {
        execId: exec.id,
        process,
        openStdin: config.attachStdin && !options.detached,
        detached: options.detached,
      });
      crashPoint('exec.started');
      this.#move(exec, { status: 'running', process: started });
      void started.exited.then((exitCode) => this.#end(exec, exitCode, started.pid));
      return started;
    } catch (error) {
      this.#end(exec, error instanceof TaskStartError ? error.exitCode : 126, 0);
      throw error;
    }
  }

  /** Rejects `not-found`, `conflict` when it does not run or has no terminal. */
  async resize(id: string, size: TerminalSize): Promise<void> {
    const exec = this.get(id);
    // Clients set the size as soon as they have asked for the start.
    if (exec.state.status === 'starting') await exec.state.settled;
    const { state } = exec;
    if (state.status !== 'running') throw conflict(`exec ${id} is not running`);
    await state.process.resize(size);
  }

  /** Says that a client left by its detach keys. */
  detached(exec: Exec): void {
    this.containers.publish(exec.containerId, 'exec_detach', { execID: exec.id });
  }

  /** Instances that were never started end with their container: nothing can start them until it runs again. */
  containerEnded(containerId: string): void {
    for (const exec of this.#execs.values()) {
      if (exec.containerId === containerId && exec.state.status === 'created') this.#forgetLater(exec);
    }
  }

  #end(exec: Exec, exitCode: number, pid: number): void {
    this.#move(exec, { status: 'exited', exitCode, pid });
    try {
      this.containers.publish(exec.containerId, 'exec_die', { execID: exec.id, exitCode: String(exitCode) });
    } catch (error) {
      // The container was removed while its last exec ended: there is nothing left to tell of.
      if (!EngineError.is(error)) throw error;
    }
    this.#forgetLater(exec);
  }

  #forgetLater(exec: Exec): void {
    const forget = (): void => {
      if (exec.state.status === 'created' || exec.state.status === 'exited') this.#execs.delete(exec.id);
    };
    setTimeout(forget, this.keptAfterEnd).unref();
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
