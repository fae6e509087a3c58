import { clusters, followBatches, type ManagerSession, nodes } from '@gantry/cluster/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { Clock, inject, injectable, Logger } from '@gantry/core/driver';
import { WakeUp } from '../queues/wake-up.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { DirtyServices } from './dirty-services.js';
import { OrchestrationPass } from './orchestration-pass.js';

const watchedKinds = [serviceKind, taskKind, nodes, clusters];

/** Milliseconds after a pass that the store did not accept. */
const retryDelay = 1_000;

/** Applies the rules whenever records change or a delay is over, as long as this manager is the leader. */
@injectable()
export class Orchestrator {
  constructor(
    @inject(OrchestrationPass) private readonly pass: OrchestrationPass,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Resolves when the session has ended. */
  async run({ signal, store }: ManagerSession): Promise<void> {
    const wakeUp = new WakeUp();
    const dirty = new DirtyServices(store);
    const ended = AbortSignal.any([signal, store.closed]);
    ended.addEventListener('abort', wakeUp.notify, { once: true });
    const removeListener = store.leadership.onChange(() => {
      dirty.addAll();
      wakeUp.notify();
    });
    dirty.addAll();
    const watching = this.#watch(store, dirty, wakeUp, ended);
    try {
      while (!ended.aborted) await this.#turn(store, dirty, wakeUp);
    } finally {
      removeListener();
      await watching;
    }
  }

  #watch(store: ClusterStore, dirty: DirtyServices, wakeUp: WakeUp, signal: AbortSignal): Promise<void> {
    return followBatches({ store, signal }, watchedKinds, {
      changed: ({ changes }) => {
        dirty.addChanges(changes);
        wakeUp.notify();
      },
      lost: () => {
        dirty.addAll();
        wakeUp.notify();
      },
    });
  }

  async #turn(store: ClusterStore, dirty: DirtyServices, wakeUp: WakeUp): Promise<void> {
    const { current } = store.leadership;
    const due = current.role === 'leader' ? dirty.take(this.#now()) : [];
    if (current.role === 'leader' && due.length > 0) await this.#apply(store, dirty, due, current.epoch);
    const isLeader = store.leadership.current.role === 'leader';
    await wakeUp.waitAtMost(isLeader ? dirty.nextDue - this.#now() : Number.POSITIVE_INFINITY, this.clock);
  }

  async #apply(store: ClusterStore, dirty: DirtyServices, due: readonly string[], epoch: number): Promise<void> {
    try {
      for (const [service, at] of await this.pass.apply(store, due, epoch)) dirty.add(service, at);
    } catch (error) {
      if (store.closed.aborted) return;
      this.log.error(
        { event: 'services.pass-failed', services: due.length, err: error },
        'orchestration failed; retrying',
      );
      for (const service of due) dirty.add(service, this.#now() + retryDelay);
    }
  }

  #now(): number {
    return Number(this.clock.now() / 1_000_000n);
  }
}
