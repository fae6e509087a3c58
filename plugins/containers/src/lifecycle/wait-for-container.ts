import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import type { ContainerRecord } from '../record.js';
import { RemovedExits } from '../removal/removed-exits.js';
import { ContainerStore } from '../store/container-store.js';
import { Attachments } from '../streams/attachments.js';
import { exitCodeOf, isAlive, lastRun } from '../transitions.js';
import type { WaitCondition } from './wait-condition.js';

interface WaitOptions {
  /** Default `not-running`. */
  readonly condition?: WaitCondition;
  readonly signal?: AbortSignal;
}

/** Spec: POST /containers/(id)/wait. */
@injectable()
export class WaitForContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(RemovedExits) private readonly removedExits: RemovedExits,
  ) {}

  /**
   * Begins to wait before it returns: once the caller has answered its client, nothing that happens is missed.
   * Resolves to the exit code, once attached clients have their output: with `not-running` of the next exit, also when
   * the restart policy starts it again, and at once when it is not running; with `next-exit` of the next exit, also when
   * it has not been started yet; with `removed` of the last exit, once it is removed. The exit code of a container that
   * was removed by AutoRemove is still known for a while.
   * @throws EngineError `not-found`.
   */
  wait(reference: string, options: WaitOptions): Promise<number> {
    const container = this.#find(reference);
    if (typeof container === 'number') return Promise.resolve(container);
    const isMet = conditionOf(container, options.condition ?? 'not-running');
    if (isMet(container.record)) return Promise.resolve(exitCodeOf(container.record.state));
    return this.#exitCode(container, isMet, options);
  }

  async #exitCode(
    container: Container,
    isMet: (record: ContainerRecord) => boolean,
    { signal }: WaitOptions,
  ): Promise<number> {
    await container.until(isMet, signal === undefined ? {} : { signal });
    const code = exitCodeOf(container.record.state);
    await this.attachments.sessionsEnded(container.id);
    return code;
  }

  #find(reference: string): Container | number {
    try {
      return this.store.get(reference);
    } catch (error) {
      const exitCode = kindOf(error) === 'not-found' ? this.removedExits.find(reference) : undefined;
      if (exitCode === undefined) throw error;
      return exitCode;
    }
  }
}

function conditionOf(container: Container, condition: WaitCondition): (record: ContainerRecord) => boolean {
  const { state: current } = container.record;
  if (condition === 'removed') return () => container.isRemoved;
  if (condition === 'next-exit') {
    const before = lastRun(current);
    return ({ state }) => !isAlive(state) && state.status !== 'starting' && lastRun(state) !== before;
  }
  const previous = current.status === 'restarting' ? current.last : undefined;
  return ({ state }) =>
    state.status === 'restarting' ? state.last !== previous : !isAlive(state) && state.status !== 'starting';
}
