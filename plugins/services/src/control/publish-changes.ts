import { actionOf, followRecords, type ManagerSession } from '@gantry/cluster/service';
import { changeOf, type RecordChange } from '@gantry/core/contracts';
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
  run(session: ManagerSession): Promise<void> {
    return followRecords(session, [serviceKind], {
      changed: (change) => this.#publish(changeOf(serviceKind, change)),
      lost: (err) =>
        this.log.warn({ event: 'services.events-lost', err }, 'events of services were lost: the daemon was too slow'),
    });
  }

  #publish(change: RecordChange<ServiceRecord> | undefined): void {
    if (change === undefined) return;
    const { after, before, id } = change;
    const action = actionOf(change);
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
