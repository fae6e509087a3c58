import { ClusterService, clusters, nodes } from '@gantry/cluster/service';
import { networkKind } from '@gantry/cluster-networks/service';
import { type ClusterChange, type ClusterStore, TransactionConflict } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable } from '@gantry/core/driver';
import { AddressBook } from '../endpoints/address-book.js';
import { allocateTasks } from '../endpoints/allocate-tasks.js';
import { momentOf } from '../orchestration/moment.js';
import { ServiceDraft, type Surroundings } from '../orchestration/service-draft.js';
import { maxChanges } from '../queues/max-changes.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { findOvercommitted } from '../scheduling/find-overcommitted.js';
import type { SchedulableNode } from '../scheduling/schedulable-node.js';
import { toSchedulable } from '../scheduling/to-schedulable.js';
import { changesOfDraft, type DraftSource } from './changes-of-draft.js';
import { CompleteRollback } from './complete-rollback.js';
import { placeTasks } from './place-tasks.js';
import { planService } from './plan-service.js';

const defaultHistoryLimit = 5;

/** What has to be looked at again, by service. */
type Wakes = ReadonlyMap<string, number>;

/** Applies the rules once to some services, and stores what they decide. */
@injectable()
export class OrchestrationPass {
  constructor(
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
    @inject(AddressBook) private readonly addresses: AddressBook,
    @inject(CompleteRollback) private readonly rollback: CompleteRollback,
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'keepingReferences'>,
  ) {}

  /** Resolves to when which of the services have to be looked at again, in milliseconds since the epoch. */
  async apply(store: ClusterStore, services: readonly string[], epoch: number): Promise<Wakes> {
    const plan = this.#plan(store, services);
    if (![...plan.drafts.values()].some(({ isRolledBack }) => isRolledBack)) return this.#finish(store, plan, epoch);
    // What the earlier specification refers to has to be there when it is stored again.
    return this.cluster.keepingReferences(() => this.#finish(store, this.#plan(store, services), epoch));
  }

  #plan(store: ClusterStore, services: readonly string[]): Plan {
    const surroundings = this.#surroundings(store);
    const sources = new Map(services.map((id) => [id, sourceOf(store, id)]));
    const drafts = new Map<string, ServiceDraft>();
    for (const [id, source] of sources) {
      const tasks = Array.from(source.tasks.values(), ({ value }) => value);
      const draft = new ServiceDraft(source.service?.value, tasks, surroundings);
      planService(draft);
      drafts.set(id, draft);
    }
    return { surroundings, sources, drafts };
  }

  async #finish(store: ClusterStore, { drafts, sources, surroundings }: Plan, epoch: number): Promise<Wakes> {
    const allocation = this.addresses.open(store);
    try {
      for (const draft of drafts.values()) if (draft.isRolledBack) this.rollback.complete(store, draft, allocation);
      const blocked = new Set([...drafts.values()].flatMap((draft) => [...allocateTasks(draft, allocation)]));
      const { nodes: all, now } = surroundings;
      const networkPlugins = networkPluginsOf(store);
      const context = { nodes: [...all.values()], now: now.ms, blocked, networkPlugins };
      placeTasks([...drafts.values()], othersOf(store, sources), context);
      return await this.#storeAll(store, drafts, sources, epoch);
    } finally {
      allocation.close();
    }
  }

  async #storeAll(
    store: ClusterStore,
    drafts: ReadonlyMap<string, ServiceDraft>,
    sources: ReadonlyMap<string, DraftSource>,
    epoch: number,
  ): Promise<Wakes> {
    const wakes = new Map<string, number>();
    const outcomes = Array.from(drafts, ([id, draft]) => {
      if (draft.wakeAt < Number.POSITIVE_INFINITY) wakes.set(id, draft.wakeAt);
      return { id, batches: changesOfDraft(draft, sources.get(id) as DraftSource, maxChanges) };
    });
    for (const group of groupsOf(outcomes, maxChanges)) {
      for (const id of await this.#storeGroup(store, group, epoch)) wakes.set(id, 0);
    }
    return wakes;
  }

  /** In one transaction where that is possible. @returns the services of which a record was changed meanwhile. */
  async #storeGroup(store: ClusterStore, group: readonly Outcome[], epoch: number): Promise<readonly string[]> {
    const joint = group.flatMap(({ batches: [first = []] }) => first);
    if (group.length > 1 && (await this.#store(store, [joint], epoch))) return [];
    const conflicting: string[] = [];
    for (const { batches, id } of group) if (!(await this.#store(store, batches, epoch))) conflicting.push(id);
    return conflicting;
  }

  #surroundings(store: ClusterStore): Surroundings {
    const [cluster] = store.list(clusters);
    const { Orchestration: orchestration, TaskDefaults: defaults } = cluster?.value.spec ?? {};
    const schedulable = store.list(nodes).map(toSchedulable);
    return {
      now: momentOf(this.clock.now()),
      nodes: new Map(schedulable.map((node) => [node.ID, node])),
      overcommitted: new Set(schedulable.flatMap((node) => overcommittedOn(store, node))),
      historyLimit: orchestration?.TaskHistoryRetentionLimit ?? defaultHistoryLimit,
      ...(defaults?.LogDriver !== undefined && { logDriver: defaults.LogDriver }),
    };
  }

  /** @returns false when a record was changed meanwhile. */
  async #store(store: ClusterStore, batches: readonly ClusterChange[][], epoch: number): Promise<boolean> {
    try {
      for (const changes of batches) {
        await store.transact(changes, { epoch });
        crashPoint('services.pass.stored');
      }
      return true;
    } catch (error) {
      if (TransactionConflict.is(error) && error.reason !== 'leadership') return false;
      throw error;
    }
  }
}

const networkPluginsOf = (store: ClusterStore): ReadonlyMap<string, string> =>
  new Map(
    store
      .list(networkKind)
      .flatMap(({ id, value: { driver, driverOptions } }) => (driverOptions === undefined ? [] : [[id, driver]])),
  );

/** What the rules have decided, before tasks have addresses and nodes. */
interface Plan {
  readonly surroundings: Surroundings;
  readonly sources: ReadonlyMap<string, DraftSource>;
  readonly drafts: ReadonlyMap<string, ServiceDraft>;
}

interface Outcome {
  readonly id: string;
  readonly batches: readonly ClusterChange[][];
}

/** Services with few changes share a transaction of at most so many; one with more has transactions of its own. */
function groupsOf(outcomes: readonly Outcome[], limit: number): readonly Outcome[][] {
  const groups: Outcome[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const outcome of outcomes) {
    const [first, ...others] = outcome.batches;
    if (first === undefined) continue;
    if (others.length > 0) {
      groups.push([outcome]);
      size = Number.POSITIVE_INFINITY;
    } else if (size + first.length <= limit) {
      groups.at(-1)?.push(outcome);
      size += first.length;
    } else {
      groups.push([outcome]);
      size = first.length;
    }
  }
  return groups;
}

function overcommittedOn(store: ClusterStore, node: SchedulableNode): readonly string[] {
  const tasks = store.select(taskKind, 'reserving', node.ID).map(({ value }) => value);
  return findOvercommitted(node, tasks).map(({ ID: id }) => id);
}

function sourceOf(store: ClusterStore, serviceId: string): DraftSource {
  const tasks = store.select(taskKind, 'service', serviceId);
  return { service: store.get(serviceKind, serviceId), tasks: new Map(tasks.map((record) => [record.id, record])) };
}

function* othersOf(store: ClusterStore, sources: ReadonlyMap<string, unknown>) {
  for (const { value } of store.list(taskKind)) {
    if (value.ServiceID !== '' && !sources.has(value.ServiceID)) yield value;
  }
}
