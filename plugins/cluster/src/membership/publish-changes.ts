import type { RecordChange, RecordKind } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { EngineEvents, type EventType } from '@gantry/core/plugin';
import { actionOf, followRecords } from '../records/follow-records.js';
import { nodes } from '../records/node-kind.js';
import { configs, type SealedObject, secrets } from '../records/sealed-kinds.js';
import type { ManagerSession } from '../service.js';

const kinds: readonly RecordKind<unknown>[] = [nodes, secrets, configs];

/** Publishes what happens to nodes, secrets and configs as events of the scope `swarm`. */
@injectable()
export class PublishChanges {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** For as long as the session lasts. */
  whileManager(session: ManagerSession): Promise<void> {
    return followRecords(session, kinds, {
      changed: (change) => this.#publish(change),
      lost: (err) =>
        this.log.warn({ event: 'swarm.events-lost', err }, 'events of the swarm were lost: the daemon was too slow'),
    });
  }

  #publish(change: RecordChange): void {
    const { id, kind } = change;
    const action = actionOf(change);
    const attributes = { name: nameOf(change), ...(action === 'update' && stateChange(change)) };
    this.events.publish({ scope: 'swarm', type: kind as EventType, action, actor: { id, attributes } });
  }
}

type Node = ReturnType<typeof nodes.parse>;

function nameOf({ kind, before, after }: RecordChange): string {
  const value = (after ?? before)?.value;
  if (kind !== nodes.name) return (value as SealedObject).spec.Name;
  const { spec, description } = value as Node;
  return spec.Name ?? description.Hostname;
}

/** What changed of a node, as clients look for it. */
function stateChange({ kind, before, after }: RecordChange): Readonly<Record<string, string>> {
  if (kind !== nodes.name || before === undefined || after === undefined) return {};
  const [old, now] = [before.value as Node, after.value as Node];
  const pairs = [
    ['availability', old.spec.Availability, now.spec.Availability],
    ['role', old.spec.Role, now.spec.Role],
    ['state', old.status.state, now.status.state],
  ] as const;
  return Object.fromEntries(
    pairs
      .filter(([, from, to]) => from !== to)
      .flatMap(([name, from, to]) => [
        [`${name}.old`, from],
        [`${name}.new`, to],
      ]),
  );
}
