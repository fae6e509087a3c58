import { followBatches, type ManagerSession, nodes } from '@gantry/cluster/service';
import { encryptionKeyKind, networkKind } from '@gantry/cluster-networks/service';
import { Clock, inject, injectable, type Timer } from '@gantry/core/driver';
import { PacedWakeUps } from '../queues/paced-wake-ups.js';
import { WakeUp } from '../queues/wake-up.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { AppliedNetworks } from './applied-networks.js';
import { allNodes, concernsOf, type NetworkConcerns } from './network-concerns.js';
import type { NetworksText } from './network-texts.js';

const watchedKinds = [taskKind, serviceKind, networkKind, encryptionKeyKind, nodes];

/** A node that is sent its networks, over one connection. */
class FollowingNode {
  #networks: ReadonlySet<string> = new Set();
  #meshes: ReadonlySet<string> = new Set();
  readonly #wakeUp = new WakeUp();

  constructor(
    readonly nodeId: string,
    readonly progress: ReturnType<AppliedNetworks['open']>,
    private readonly signal: AbortSignal,
    private readonly timer: Timer,
    private readonly wakeUps: PacedWakeUps,
  ) {
    signal.addEventListener('abort', this.#wakeUp.notify, { once: true });
  }

  /** The networks that it is sent next, and those of them of which it is given the meshes, too. */
  follow({ meshes, networks }: Pick<NetworksText, 'meshes' | 'networks'>): void {
    this.#networks = networks;
    this.#meshes = meshes;
  }

  isConcerned({ all, meshes, networks, nodes: ids }: NetworkConcerns): boolean {
    if (all || ids.has(this.nodeId)) return true;
    return haveCommon(networks, this.#networks) || haveCommon(meshes, this.#meshes);
  }

  notify(): void {
    this.progress.changed();
    this.wakeUps.add(this.#wakeUp);
  }

  /**
   * Resolves when something may have changed since the last call and the node has what it was sent in effect, or the signal has
   * aborted. So a node that many changes reach is sent as many of them together as came while it applied the last.
   */
  async changed(): Promise<void> {
    if (!this.signal.aborted) await this.progress.confirmed(this.timer);
    if (!this.signal.aborted) await this.#wakeUp.wait();
  }
}

/** Distributes changes of networks to the nodes that they concern: one watch of the store for all nodes. */
@injectable()
export class NetworkFeed {
  readonly #nodes = new Set<FollowingNode>();
  readonly #wakeUps = new PacedWakeUps();

  constructor(
    @inject(AppliedNetworks) private readonly applied: AppliedNetworks,
    @inject(Clock.token) private readonly timer: Timer,
  ) {}

  /** Resolves when the session has ended. */
  run({ signal, store }: Pick<ManagerSession, 'signal' | 'store'>): Promise<void> {
    const distributeAll = (): void => this.#distribute(allNodes, store.revision);
    distributeAll();
    return followBatches({ store, signal }, watchedKinds, {
      changed: ({ changes, revision }) => this.#distribute(concernsOf(store, changes), revision),
      lost: distributeAll,
    });
  }

  /** Follows a node until the signal aborts. */
  open(nodeId: string, signal: AbortSignal): FollowingNode {
    const node = new FollowingNode(nodeId, this.applied.open(nodeId, signal), signal, this.timer, this.#wakeUps);
    this.#nodes.add(node);
    if (signal.aborted) this.#nodes.delete(node);
    else signal.addEventListener('abort', () => this.#nodes.delete(node), { once: true });
    return node;
  }

  /** A node has what it was sent in effect. */
  confirm(nodeId: string, revision: number): void {
    this.applied.applied(nodeId, revision);
  }

  #distribute(concerns: NetworkConcerns, revision: number): void {
    if (!isEmpty(concerns)) for (const node of this.#nodes) if (node.isConcerned(concerns)) node.notify();
    this.applied.distributed(revision);
  }
}

function haveCommon(few: ReadonlySet<string>, many: ReadonlySet<string>): boolean {
  for (const id of few) if (many.has(id)) return true;
  return false;
}

/** Most transactions concern no node, and there may be thousands. */
const isEmpty = ({ all, meshes, networks, nodes: ids }: NetworkConcerns): boolean =>
  !all && meshes.size + networks.size + ids.size === 0;
