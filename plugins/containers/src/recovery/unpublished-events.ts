import { inject, injectable, Logger, nanosOf } from '@gantry/core/driver';
import { type EngineEvent, EngineEvents, type PastEvents } from '@gantry/core/plugin';
import { ContainerEvents } from '../container-events.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { missingEvents } from './missing-events.js';

const lifecycleActions = ['create', 'start', 'die', 'destroy'];

/**
 * Events of changes that a daemon stored and was killed before it published them. Without them the recorded events and
 * the state of a container contradict each other.
 */
@injectable()
export class UnpublishedEvents {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(EngineEvents) private readonly bus: EngineEvents,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Publishes them now. Never rejects: a failure is logged. */
  async publish(): Promise<void> {
    const records = new Map([...this.store.all()].map(({ id, record }) => [id, record]));
    try {
      const past = await this.bus.past();
      if (past === undefined) return;
      const published = lifecycleEvents(past.events);
      for (const [id, record] of records) {
        // This daemon has published what changed since.
        const container = this.store.byId(id);
        if (container?.record !== record) continue;
        const own = published.get(id) ?? [];
        container.isDestroyPublished = own.at(-1)?.action === 'destroy';
        const missing = missingEvents(record, own, coversCreation(past, record));
        for (const { action, attributes } of missing) this.events.publish(record, action, attributes);
      }
      for (const [id, own] of published) if (!records.has(id)) this.#publishDestroy(id, own);
    } catch (error) {
      const facts = { event: 'container.events-not-published', error };
      this.log.error(facts, 'failed to find unpublished events of an earlier daemon');
    }
  }

  /** For a container whose record is deleted. */
  #publishDestroy(id: string, published: readonly EngineEvent[]): void {
    const last = published.at(-1);
    if (this.store.has(id) || last === undefined || last.action === 'destroy') return;
    const { exitCode: _exitCode, signal: _signal, ...attributes } = last.actor.attributes;
    const { type, from } = last;
    this.bus.publish({ type, action: 'destroy', actor: { id, attributes }, ...(from !== undefined && { from }) });
  }
}

/** By container: the events that say that it exists, that it runs, and that it does not. */
function lifecycleEvents(events: readonly EngineEvent[]): ReadonlyMap<string, readonly EngineEvent[]> {
  const found = new Map<string, EngineEvent[]>();
  for (const event of events) {
    if (event.type !== 'container' || !lifecycleActions.includes(event.action)) continue;
    const own = found.get(event.actor.id);
    if (own === undefined) found.set(event.actor.id, [event]);
    else own.push(event);
  }
  return found;
}

/** Whether the creation of the container would be among the events. */
function coversCreation({ events, isAll }: PastEvents, { createdAt }: ContainerRecord): boolean {
  const first = events[0];
  return isAll || (first !== undefined && nanosOf(createdAt) > first.timeNano);
}
