import type { ManagerSession } from '@gantry/cluster/service';
import { changeOf, type RecordChange, WatchCompacted } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { serviceKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import { replicasOf } from '../spec/service-mode.js';

/** Publishes what happens to services as events of the scope `swarm`. */
@injectable()
export class PublishChanges {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** For as long as the session lasts. */
  async run({ signal, store }: ManagerSession): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { changes } of store.watch({ kinds: [serviceKind], signal })) {
          for (const change of changes) this.#publish(changeOf(serviceKind, change));
        }
      } catch (err) {
        if (!WatchCompacted.is(err)) throw err;
        this.log.warn({ event: 'services.events-lost', err }, 'events of services were lost: the daemon was too slow');
      }
    }
  }

  #publish(change: RecordChange<ServiceRecord> | undefined): void {
    if (change === undefined) return;
    const { after, before, id } = change;
    const action = before === undefined ? 'create' : after === undefined ? 'remove' : 'update';
    const name = (after ?? before)?.value.Spec.Name ?? '';
    const attributes = {
      name,
      ...(before !== undefined && after !== undefined && differences(before.value, after.value)),
    };
    this.events.publish({ scope: 'swarm', type: 'service', action, actor: { id, attributes } });
  }
}

/** What changed, as clients look for it. */
function differences(before: ServiceRecord, after: ServiceRecord): Readonly<Record<string, string>> {
  const [from, to] = [replicasOf(before.Spec), replicasOf(after.Spec)];
  const [old, now] = [before.UpdateStatus?.State ?? '', after.UpdateStatus?.State ?? ''];
  return {
    ...(from !== to && { 'replicas.old': String(from), 'replicas.new': String(to) }),
    ...(old !== now && { ...(old !== '' && { 'updatestate.old': old }), 'updatestate.new': now }),
  };
}
