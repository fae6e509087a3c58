import { Clock, inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';

/** For how long the exit code of a removed container can be asked for, in nanoseconds. */
const retention = 300_000_000_000n;

/** Most exit codes that are kept. */
const limit = 1000;

interface RemovedExit {
  readonly name: string;
  readonly exitCode: number;
  readonly at: bigint;
}

/**
 * Exit codes of containers that the daemon removed by itself. A client starts a container and then waits for it: with
 * AutoRemove a short program has exited, and its container is removed, before the wait arrives.
 */
@injectable()
export class RemovedExits {
  /** By id, oldest first. */
  readonly #exits = new Map<string, RemovedExit>();

  constructor(@inject(Clock.token) private readonly clock: Clock) {}

  add({ id, name }: ContainerRecord, exitCode: number): void {
    this.#exits.set(id, { name, exitCode, at: this.clock.now() });
    this.#dropOld();
  }

  /** By id, name or prefix of an id, the last removed first; undefined when there is none. */
  find(reference: string): number | undefined {
    this.#dropOld();
    const name = reference.replace(/^\//, '');
    const found = [...this.#exits].reverse().find(([id, exit]) => id.startsWith(reference) || exit.name === name);
    return found?.[1].exitCode;
  }

  #dropOld(): void {
    const oldest = this.clock.now() - retention;
    for (const [id, { at }] of this.#exits) {
      if (this.#exits.size <= limit && at >= oldest) return;
      this.#exits.delete(id);
    }
  }
}
