import { type AnsweredRequest, NodeConnections, nodes } from '@gantry/cluster/service';
import { encryptionKeyKind, networkKind } from '@gantry/cluster-networks/service';
import { type ClusterStore, WatchCompacted } from '@gantry/core/contracts';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import type { SwarmNetworkState } from '@gantry/networks/service';
import { Attachments } from '../endpoints/attachments.js';
import { ingressState } from '../endpoints/ingress.js';
import { tunnelOf } from '../endpoints/network-state.js';
import { NetworkStates } from '../endpoints/network-states.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { AppliedNetworks } from './applied-networks.js';
import { DrainTask } from './drain-task.js';
import {
  appliedPath,
  attachPath,
  contentOf,
  detachPath,
  drainPath,
  type NetworksOfNode,
  networksPath,
  parseAttached,
  parseAttachment,
  parseRevision,
  retainPath,
  toNetworksMessage,
} from './network-messages.js';

const watchedKinds = [taskKind, serviceKind, networkKind, encryptionKeyKind, nodes];

/**
 * Answers what agents of other nodes ask about networks. A node is given the state of the networks that its own tasks and
 * containers are on, the published ports of the cluster, and which networks its containers may join.
 */
@injectable()
export class NetworkRequests {
  constructor(
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(AppliedNetworks) private readonly applied: AppliedNetworks,
    @inject(DrainTask) private readonly drainTask: DrainTask,
    @inject(NetworkStates) private readonly states: NetworkStates,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    const { applied, attachments, connections, drainTask, lifetime } = this;
    lifetime.add(
      connections.answer(appliedPath, async ({ body, nodeId }) => applied.applied(nodeId, parseRevision(body))),
    );
    lifetime.add(connections.answer(drainPath, ({ body, session }) => drainTask.drain(session.store, String(body))));
    lifetime.add(connections.answerStream(networksPath, (request) => this.#networks(request)));
    lifetime.add(
      connections.answer(attachPath, ({ body, nodeId, session }) =>
        attachments.attach(session, nodeId, parseAttachment(body)),
      ),
    );
    lifetime.add(
      connections.answer(detachPath, async ({ body, nodeId, session }) => {
        for (const { containerId, networkId } of parseAttached(body)) {
          await attachments.detach(session, nodeId, networkId, containerId);
        }
      }),
    );
    lifetime.add(
      connections.answer(retainPath, ({ body, nodeId, session }) => {
        const kept = new Set(parseAttached(body).map(({ containerId, networkId }) => `${networkId} ${containerId}`));
        return attachments.retain(session, nodeId, (network, container) => kept.has(`${network} ${container}`));
      }),
    );
  }

  /** All networks of a node, and again whenever one of them has changed. */
  async *#networks({ nodeId, session: { store }, signal }: AnsweredRequest): AsyncGenerator<unknown> {
    const progress = this.applied.open(nodeId, signal);
    let sent = '';
    while (!signal.aborted) {
      const watch = store.watch({ kinds: watchedKinds, signal });
      try {
        for await (const _change of startingNow(watch)) {
          const message = toNetworksMessage(networksFor(store, nodeId, this.states));
          const content = contentOf(message);
          if (content === sent) {
            progress.unchanged(message.revision);
            continue;
          }
          sent = content;
          progress.sent(message.revision);
          yield message;
        }
      } catch (error) {
        if (!WatchCompacted.is(error)) throw error;
      }
    }
  }
}

/** Once at once, and then with every change. */
async function* startingNow(changes: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  yield undefined;
  yield* changes;
}

function networksFor(store: ClusterStore, nodeId: string, networks: NetworkStates): NetworksOfNode {
  const { revision } = store;
  const ingress = ingressState(store);
  const own = store.select(taskKind, 'node', nodeId).flatMap(({ value }) => value.Addresses ?? []);
  const ids = new Set(own.map(({ NetworkID: id }) => id));
  if (ingress !== undefined) ids.add(ingress.network.id);
  const states = new Map<string, SwarmNetworkState>();
  for (const id of ids) {
    const state = networks.of(store, nodeId, id);
    if (state !== undefined) states.set(id, state);
  }
  const attachable = store.list(networkKind).flatMap(({ createdAt, id, value }) => {
    const tunnel = value.attachable ? tunnelOf(store, nodeId, id) : undefined;
    return tunnel === undefined ? [] : [{ network: { id, createdAt, ...value }, tunnel }];
  });
  return { revision, states, attachable, ingress };
}
