import { isDeepStrictEqual } from 'node:util';
import { TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { abortable, Clock, inject, injectable, Logger } from '@gantry/core/driver';
import { notFound, unavailable } from '@gantry/core/errors';
import type { NodeRequest } from '@gantry/lib-cluster-protocol';
import { fingerprintOf } from '../certificates/fingerprint-of.js';
import { AnsweredPaths } from '../connections/answered-paths.js';
import { unseal } from '../keys/seal.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import {
  type HeartbeatAnswer,
  heartbeatPath,
  leavePath,
  parseSessionMessage,
  type SwarmSummary,
  sessionPath,
} from '../messages/heartbeat-messages.js';
import { issuingRoot } from '../records/cluster-kind.js';
import { countManagers } from '../records/count-managers.js';
import { type Node, type NodeStatus, nodes, presentRole } from '../records/node-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import { remoteManagers } from '../records/remote-managers.js';
import { toSwarm } from '../records/to-swarm.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { announceRoles } from './announce-roles.js';
import { DownBudget } from './down-budget.js';
import { StoreMembers } from './store-members.js';

/** Periods without a heartbeat after which a node is down. */
const missedPeriods = 2.5;
/** Milliseconds without a node that is heard of by its new leader for the first time, until the others are taken for silent. */
const arrivalPause = 2_000;
/** Milliseconds until a silent node, of too many, may be marked as down. */
const unknownDelay = 1_000;
/** Nanoseconds. A manager that is later than this cannot say that a node is: what the node has sent may wait behind its timer. */
const ownLateness = 1_000_000_000n;

/** Knows which nodes are alive. Heartbeats stay in memory; the store sees only when a node comes or goes. */
@injectable()
export class NodeHeartbeats {
  readonly #cancels = new Map<string, () => void>();
  /** End the connections of nodes. */
  readonly #disconnects = new Map<string, () => void>();
  readonly #downs = new DownBudget();
  /** Nodes that have not been heard of since this manager leads. */
  readonly #expected = new Set<string>();
  /** When the last one of them was, in nanoseconds. */
  #lastArrival = 0n;

  #answered = 0;

  constructor(
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(StoreMembers) private readonly members: StoreMembers,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** How many heartbeats were answered since the start of the daemon. */
  get answered(): number {
    return this.#answered;
  }

  start(): void {
    this.paths.add(sessionPath, { type: 'call', access: 'nodes', answer: (request) => this.#begin(request) });
    this.paths.add(heartbeatPath, { type: 'call', access: 'nodes', answer: (request) => this.#heartbeat(request) });
    this.paths.add(leavePath, { type: 'call', access: 'nodes', answer: (request) => this.#leave(request) });
  }

  /**
   * Nodes that were not down when this manager began to lead have as long as others to be heard of, and longer while more and
   * more of them are: they all come at once, and it is this manager that keeps them waiting.
   */
  whileManager(session: OpenSession): Promise<void> {
    const limit = periodOf(session.store) * missedPeriods;
    for (const { id, value } of session.store.list(nodes)) {
      if (id === session.nodeId || value.status.state === 'down') continue;
      // A millisecond apart: to mark thousands as silent at once would keep the event loop from those that come.
      this.#await(session, id, limit + this.#expected.size);
      this.#expected.add(id);
    }
    session.signal.addEventListener('abort', () => this.#forgetAll(), { once: true });
    return announceRoles(session, (nodeId) => this.#disconnects.get(nodeId)?.());
  }

  /** While no manager leads, a node waits for this one to be the next: to ask again and again would keep both from it. */
  async #begin({ body, disconnect, peer, signal }: NodeRequest): Promise<HeartbeatAnswer> {
    await abortable(this.membership.settled(), signal);
    const session = this.membership.present();
    const nodeId = peer?.nodeId ?? '';
    // It has waited for a leader and is that now: as a node of its own it would be silent, and down, from then on.
    if (nodeId === session.nodeId) throw unavailable('this node leads the swarm itself');
    const message = parseSessionMessage(body);
    if (this.#expected.delete(nodeId)) this.#lastArrival = this.clock.now();
    const { address, dataPath, description, keepsClientAddresses: kept = false, managerAddress } = message;
    await this.#change(session, nodeId, (node) => ({
      ...node,
      description,
      status: { state: 'ready', address },
      dataPath,
      ...(kept !== 'unknown' && { keepsClientAddresses: kept }),
      ...(node.manager !== undefined && {
        manager: { ...node.manager, address: managerAddress ?? node.manager.address },
      }),
    }));
    this.#await(session, nodeId);
    this.#disconnects.set(nodeId, disconnect);
    return this.#answer(session, nodeId, true);
  }

  async #heartbeat({ peer }: NodeRequest): Promise<HeartbeatAnswer> {
    const session = this.membership.present();
    const nodeId = peer?.nodeId ?? '';
    const node = session.store.get(nodes, nodeId);
    if (node === undefined) throw notListed(nodeId);
    this.#answered += 1;
    const isKnown = this.#cancels.has(nodeId) && node.value.status.state === 'ready';
    if (isKnown) this.#await(session, nodeId);
    return this.#answer(session, nodeId, isKnown);
  }

  async #leave({ peer }: NodeRequest): Promise<void> {
    const session = this.membership.present();
    const nodeId = peer?.nodeId ?? '';
    await this.members.remove(session, nodeId);
    await this.#markDown(session, nodeId, 'node left the swarm');
  }

  #answer(session: OpenSession, nodeId: string, isKnown: boolean): HeartbeatAnswer {
    const { store } = session;
    const { rootCa } = presentCluster(store).value;
    const node = store.get(nodes, nodeId);
    const role = node === undefined ? 'worker' : presentRole(node.value);
    return {
      isKnown,
      period: rootCa.next === undefined ? jittered(periodOf(store)) : Math.min(periodOf(store), rotationPeriod(store)),
      managers: remoteManagers(store),
      issuer: issuingRoot(rootCa).publicKey,
      trust: fingerprintOf(rootCa.certificate),
      role,
      ...(role === 'manager' && { swarm: { ...summarize(session), isMember: node?.value.manager !== undefined } }),
    };
  }

  #await(session: OpenSession, nodeId: string, wait = periodOf(session.store) * missedPeriods): void {
    this.#cancels.get(nodeId)?.();
    const due = this.clock.now() + BigInt(Math.ceil(wait * 1e6));
    const cancel = this.clock.after(wait, () => {
      const now = this.clock.now();
      if (now - due > ownLateness) {
        this.log.debug(
          { event: 'swarm.manager-late', node: nodeId },
          'this manager is late; waiting for a node once more',
        );
        this.#await(session, nodeId);
        return;
      }
      const pause = Number(now - this.#lastArrival) / 1e6;
      if (this.#expected.has(nodeId) && pause < arrivalPause) return this.#await(session, nodeId, arrivalPause - pause);
      const isDown = this.#downs.take(session.store.list(nodes).length, now);
      const marked = isDown ? this.#markDown(session, nodeId, 'heartbeat failure') : this.#markUnknown(session, nodeId);
      marked.catch((err: unknown) => {
        if (session.signal.aborted) return;
        this.log.error(
          { event: 'swarm.node-not-updated', node: nodeId, err },
          'failed to mark a silent node; retrying',
        );
        this.#await(session, nodeId);
      });
    });
    this.#cancels.set(nodeId, cancel);
  }

  /** Its tasks stay until it may be marked as down; no more are placed on it. */
  async #markUnknown(session: OpenSession, nodeId: string): Promise<void> {
    const record = session.store.get(nodes, nodeId);
    if (session.signal.aborted || record === undefined) return;
    this.#await(session, nodeId, unknownDelay);
    if (record.value.status.state === 'unknown') return;
    const message = 'heartbeat failure of many nodes';
    await this.#change(session, nodeId, (node) => ({ ...node, status: { ...node.status, state: 'unknown', message } }));
    this.log.warn({ event: 'swarm.node-unknown', node: nodeId }, 'a node is silent, as are too many others to replace');
  }

  async #markDown(session: OpenSession, nodeId: string, message: string): Promise<void> {
    this.#forget(nodeId);
    this.#disconnects.delete(nodeId);
    if (session.signal.aborted || session.store.get(nodes, nodeId) === undefined) return;
    const status = (node: Node): NodeStatus => ({ ...node.status, state: 'down', message });
    await this.#change(session, nodeId, (node) => ({ ...node, status: status(node) }));
    this.log.warn({ event: 'swarm.node-down', node: nodeId, message }, 'a node of the swarm is down');
  }

  /** Rejects `not-found` for a node that is not listed. */
  async #change({ signal, store }: OpenSession, nodeId: string, change: (node: Node) => Node): Promise<void> {
    const { current } = store.leadership;
    for (;;) {
      const record = store.get(nodes, nodeId);
      if (record === undefined) throw notListed(nodeId);
      const changed = change(record.value);
      if (isDeepStrictEqual(changed, record.value)) return;
      try {
        const epoch = current.role === 'leader' ? { epoch: current.epoch } : {};
        await store.transact([updateRecord(nodes, record, changed)], { ...epoch, signal });
        return;
      } catch (error) {
        if (!TransactionConflict.is(error) || error.reason === 'leadership') throw error; // else another update was first
      }
    }
  }

  #forget(nodeId: string): void {
    this.#cancels.get(nodeId)?.();
    this.#cancels.delete(nodeId);
  }

  #forgetAll(): void {
    for (const nodeId of [...this.#cancels.keys()]) this.#forget(nodeId);
    for (const disconnect of this.#disconnects.values()) disconnect(); // they are to look for the next leader
    this.#disconnects.clear();
    this.#expected.clear();
  }
}

const notListed = (nodeId: string) => notFound(`node ${nodeId} is not part of the swarm`);

/** Heartbeats a second, at most: in larger swarms each node is heard of less often than their specification says. */
const mostHeartbeats = 300;

/** Milliseconds. */
const periodOf = (store: OpenSession['store']): number =>
  Math.max(
    presentCluster(store).value.spec.Dispatcher.HeartbeatPeriod / 1e6,
    (store.list(nodes).length / mostHeartbeats) * 1000,
  );

/** Nodes that have connected at the same moment, as after a start of their manager, do not stay in step. */
const jittered = (period: number): number => period * (0.9 + Math.random() / 10);

/** In a rotation nodes hear of its end soon; the leader hears of no more than a thousand of them a second. */
const rotationPeriod = (store: OpenSession['store']): number => Math.max(1_000, store.list(nodes).length);

function summarize({ key, store }: OpenSession): Omit<SwarmSummary, 'isMember'> {
  const { JoinTokens, ...cluster } = toSwarm(presentCluster(store), key);
  const { all, reachable } = countManagers(store);
  const { unlockKey } = presentCluster(store).value;
  return {
    nodes: store.list(nodes).length,
    managers: all,
    reachableManagers: reachable,
    cluster,
    ...(unlockKey !== undefined && { unlockKey: unseal(key, unlockKey).toString() }),
  };
}
