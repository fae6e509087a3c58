import { actionOf, followRecords, type ManagerSession } from '@gantry/cluster/service';
import { changeOf, type RecordChange } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { networkKind } from './network-kind.js';

/** Publishes what happens to networks as events of the scope `swarm`. */
@injectable()
export class PublishChanges {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** For as long as the session lasts. */
  run(session: ManagerSession): Promise<void> {
    return followRecords(session, [networkKind], {
      changed: (change) => this.#publish(change),
      lost: (err) =>
        this.log.warn({ event: 'networks.events-lost', err }, 'events of networks were lost: the daemon was too slow'),
    });
  }

  #publish(change: RecordChange): void {
    const network = changeOf(networkKind, change);
    const name = (network?.after ?? network?.before)?.value.name ?? '';
    this.events.publish({
      scope: 'swarm',
      type: 'network',
      action: actionOf(change),
      actor: { id: change.id, attributes: { name } },
    });
  }
}
