import { Clock, inject, injectable } from '@gantry/core/driver';
import { conflict, notFound } from '@gantry/core/errors';
import type { Exec, ExecState } from './exec-record.js';

/** For how long an exited exec can be inspected, in nanoseconds. */
const retention = 300_000_000_000n;

/** The exec instances of all containers, in memory. */
@injectable()
export class ExecStore {
  readonly #execs = new Map<string, Exec>();
  /** When instances exited, by id, oldest first. */
  readonly #exits = new Map<string, bigint>();

  constructor(@inject(Clock.token) private readonly clock: Clock) {}

  add(exec: Exec): void {
    this.#dropOld();
    this.#execs.set(exec.id, exec);
  }

  /** @throws EngineError `not-found`. */
  get(id: string): Exec {
    this.#dropOld();
    const exec = this.#execs.get(id);
    if (exec === undefined) throw notFound(`No such exec instance: ${id}`);
    return exec;
  }

  /** Ids of a container's instances that have not exited, for inspect. */
  idsOf(containerId: string): readonly string[] {
    return [...this.#execs.values()]
      .filter((exec) => exec.containerId === containerId && exec.state.status !== 'exited')
      .map(({ id }) => id);
  }

  /** Claims an instance for a start, which only one caller can. @throws EngineError `not-found`, `conflict`. */
  claim(id: string): Exec {
    const exec = this.get(id);
    if (exec.state.status !== 'created') throw conflict(`Error: Exec command ${id} has already run`);
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    exec.state = { status: 'starting', settled, settle };
    return exec;
  }

  /** Moves a claimed or running instance on, and wakes those that wait for its start. */
  move(exec: Exec, state: Exclude<ExecState, { readonly status: 'starting' }>): void {
    const before = exec.state;
    exec.state = state;
    if (state.status === 'exited') this.#exits.set(exec.id, this.clock.now());
    if (before.status === 'starting') before.settle();
  }

  /** Deletes a container's instances that were not started: nothing can start them until it runs again. */
  deleteUnstarted(containerId: string): void {
    for (const exec of this.#execs.values()) {
      if (exec.containerId === containerId && exec.state.status === 'created') this.#execs.delete(exec.id);
    }
  }

  #dropOld(): void {
    const oldest = this.clock.now() - retention;
    for (const [id, at] of this.#exits) {
      if (at >= oldest) return;
      this.#exits.delete(id);
      this.#execs.delete(id);
    }
  }
}
