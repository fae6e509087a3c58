import { clusters, nodes } from '@gantry/cluster/service';
import { type ClusterStore, TransactionConflict } from '@gantry/core/contracts';
import { Clock, inject, injectable } from '@gantry/core/driver';
import { momentOf } from '../orchestration/moment.js';
import { ServiceDraft, type Surroundings } from '../orchestration/service-draft.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { toSchedulable } from '../scheduling/to-schedulable.js';
import { changesOfDraft, type DraftSource } from './changes-of-draft.js';
import { placeTasks } from './place-tasks.js';
import { planService } from './plan-service.js';

const defaultHistoryLimit = 5;

/** Transactions hold fewer changes than stores allow, so that other writers do not wait long. */
const maxChanges = 500;

/** What has to be looked at again, by service. */
type Wakes = ReadonlyMap<string, number>;

/** Applies the rules once to some services, and stores what they decide. */
@injectable()
export class OrchestrationPass {
  constructor(@inject(Clock.token) private readonly clock: Pick<Clock, 'now'>) {}

  /** Resolves to when which of the services have to be looked at again, in milliseconds since the epoch. */
  async apply(store: ClusterStore, services: Iterable<string>, epoch: number): Promise<Wakes> {
    const surroundings = this.#surroundings(store);
    const sources = new Map(Array.from(services, (id) => [id, sourceOf(store, id)]));
    const drafts = new Map<string, ServiceDraft>();
    for (const [id, source] of sources) {
      const tasks = Array.from(source.tasks.values(), ({ value }) => value);
      const draft = new ServiceDraft(source.service?.value, tasks, surroundings);
      planService(draft);
      drafts.set(id, draft);
    }
    placeTasks([...drafts.values()], othersOf(store, sources), [...surroundings.nodes.values()], surroundings.now.ms);
    const wakes = new Map<string, number>();
    for (const [id, draft] of drafts) {
      const isStored = await this.#store(store, draft, sources.get(id) as DraftSource, epoch);
      if (!isStored) wakes.set(id, 0);
      else if (draft.wakeAt < Number.POSITIVE_INFINITY) wakes.set(id, draft.wakeAt);
    }
    return wakes;
  }

  #surroundings(store: ClusterStore): Surroundings {
    const [cluster] = store.list(clusters);
    return {
      now: momentOf(this.clock.now()),
      nodes: new Map(store.list(nodes).map((record) => [record.id, toSchedulable(record)])),
      historyLimit: cluster?.value.spec.Orchestration.TaskHistoryRetentionLimit ?? defaultHistoryLimit,
    };
  }

  /** @returns false when a record was changed meanwhile. */
  async #store(store: ClusterStore, draft: ServiceDraft, source: DraftSource, epoch: number): Promise<boolean> {
    try {
      for (const changes of changesOfDraft(draft, source, maxChanges)) await store.transact(changes, { epoch });
      return true;
    } catch (error) {
      if (TransactionConflict.is(error) && error.reason !== 'leadership') return false;
      throw error;
    }
  }
}

function sourceOf(store: ClusterStore, serviceId: string): DraftSource {
  const tasks = store.select(taskKind, 'service', serviceId);
  return { service: store.get(serviceKind, serviceId), tasks: new Map(tasks.map((record) => [record.id, record])) };
}

function* othersOf(store: ClusterStore, sources: ReadonlyMap<string, unknown>) {
  for (const { value } of store.list(taskKind)) if (!sources.has(value.ServiceID)) yield value;
}
