import { inject, injectable, Logger } from '@gantry/core/driver';
import type { NodeRequest } from '@gantry/lib-cluster-protocol';
import { AnsweredPaths } from '../connections/answered-paths.js';
import { ConnectedNode } from '../membership/connected-node.js';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { managersPath, parseTunnelMessage } from '../messages/manager-messages.js';

/** Where the managers are reached, as far as this one knows without the leader. */
@injectable()
export class ManagerAddresses {
  constructor(
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(Logger) private readonly log: Logger,
  ) {}

  start(): void {
    this.paths.add(managersPath, {
      type: 'call',
      access: 'nodes',
      answer: async () => this.file.present?.managers ?? [],
    });
  }

  /** Another manager has connected, and says where it is. The leader has the sessions of the nodes for that. */
  learn({ body, peer }: NodeRequest): void {
    const message = parseTunnelMessage(body);
    const { link } = this.node;
    if (message === undefined || peer === undefined || link === undefined) return;
    link.learn({ nodeId: peer.nodeId, ...message }).catch((err: unknown) => {
      this.log.warn({ event: 'swarm.managers-not-stored', err }, 'failed to store where the managers are reached');
    });
  }
}
