import { type AnsweredRequest, NodeConnections } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { Attachments } from '../endpoints/attachments.js';
import { nodesOn } from '../endpoints/network-state.js';
import { DrainTask } from './drain-task.js';
import { NetworkFeed } from './network-feed.js';
import {
  appliedPath,
  attachPath,
  detachPath,
  doesTakeChanges,
  drainPath,
  networksPath,
  nodesPath,
  parseAttached,
  parseAttachment,
  parseRevision,
  retainPath,
} from './network-messages.js';
import { isSameText, type NetworksText, NetworkTexts, toLine } from './network-texts.js';

/**
 * Answers what agents of other nodes ask about networks. A node is given the state of the networks that its own tasks and
 * containers are on, the published ports of the cluster, and which networks its containers may join.
 */
@injectable()
export class NetworkRequests {
  constructor(
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(NetworkFeed) private readonly feed: NetworkFeed,
    @inject(DrainTask) private readonly drainTask: DrainTask,
    @inject(NetworkTexts) private readonly texts: NetworkTexts,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    const { attachments, connections, drainTask, feed, lifetime } = this;
    lifetime.add(
      connections.answer(appliedPath, async ({ body, nodeId }) => feed.confirm(nodeId, parseRevision(body))),
    );
    lifetime.add(connections.answer(drainPath, ({ body, session }) => drainTask.drain(session.store, String(body))));
    lifetime.add(connections.answerStream(networksPath, (request) => this.#networks(request)));
    lifetime.add(
      connections.answer(nodesPath, async ({ body, nodeId, session }) => nodesOn(session.store, nodeId, String(body))),
    );
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

  /** All networks of a node, and then what changes in them. */
  async *#networks({ body, nodeId, session: { store }, signal }: AnsweredRequest): AsyncGenerator<Uint8Array> {
    const node = this.feed.open(nodeId, signal);
    // Nodes of an earlier version do not.
    const changes = doesTakeChanges(body);
    let sent: NetworksText | undefined;
    while (!signal.aborted) {
      const { revision } = store;
      const text = this.texts.of(store, nodeId);
      node.follow(text);
      if (sent !== undefined && isSameText(sent, text)) node.progress.unchanged();
      else {
        const line = toLine(text, revision, changes ? sent : undefined);
        sent = text;
        node.progress.sent(revision);
        yield line;
      }
      await node.changed();
    }
  }
}
