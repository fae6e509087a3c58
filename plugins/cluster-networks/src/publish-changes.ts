import type { ManagerSession } from '@gantry/cluster/service';
import { changeOf, WatchCompacted } from '@gantry/core/contracts';
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
  async run({ signal, store }: ManagerSession): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { changes } of store.watch({ kinds: [networkKind], signal })) {
          for (const change of changes) {
            const { after, before, id } = changeOf(networkKind, change) ?? change;
            const action = before === undefined ? 'create' : after === undefined ? 'remove' : 'update';
            const { name = '' } =
              (changeOf(networkKind, change)?.after ?? changeOf(networkKind, change)?.before)?.value ?? {};
            this.events.publish({ scope: 'swarm', type: 'network', action, actor: { id, attributes: { name } } });
          }
        }
      } catch (err) {
        if (!WatchCompacted.is(err)) throw err;
        this.log.warn({ event: 'networks.events-lost', err }, 'events of networks were lost: the daemon was too slow');
      }
    }
  }
}
