import type { NodeSession } from '@gantry/cluster/service';
import type { AgentTraffic, IngressState } from '../service.js';
import { appliedPath, drainPath, type NetworksOfNode } from './network-messages.js';

/** A node that does not lead. */
export class RemoteTraffic implements AgentTraffic {
  #networks: NetworksOfNode = { revision: 0, states: new Map(), attachable: [] };
  #appliedRevision = 0;

  constructor(private readonly session: Pick<NodeSession, 'call'>) {}

  /** What the leader has sent last. */
  get networks(): NetworksOfNode {
    return this.#networks;
  }

  /** Each message is confirmed, also when a new leader repeats what is in effect here. */
  apply(networks: NetworksOfNode): void {
    this.#networks = networks;
    this.#appliedRevision = 0;
  }

  ingress(): IngressState | undefined {
    return this.#networks.ingress;
  }

  revision(): number {
    return this.#networks.revision;
  }

  async applied(revision: number): Promise<void> {
    if (revision <= this.#appliedRevision) return;
    await this.session.call(appliedPath, revision);
    this.#appliedRevision = revision;
  }

  async drain(taskId: string): Promise<void> {
    await this.session.call(drainPath, taskId);
  }
}
