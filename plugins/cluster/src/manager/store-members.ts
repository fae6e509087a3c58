import { setTimeout as delay } from 'node:timers/promises';
import { type ClusterMember, type ClusterStore, updateRecord } from '@gantry/core/contracts';
import { inject, injectable, Logger, Mutex } from '@gantry/core/driver';
import { kindOf, unavailable } from '@gantry/core/errors';
import { nodes } from '../records/node-kind.js';
import type { OpenSession } from '../sessions/manager-sessions.js';

const interval = 1_000;
/** How long a learner may take until it has every record, when another manager waits for that. */
const promotionLimit = 30_000;
const promotionInterval = 200;

/**
 * Keeps the members of the store as the roles of the nodes are. The second manager stays a learner: with two voters the loss
 * of either would be that of the majority. From the third on all are voters.
 */
@injectable()
export class StoreMembers {
  readonly #mutex = new Mutex();

  constructor(@inject(Logger) private readonly log: Logger) {}

  /** Adds the member of a node, as a learner. One of its name never ran, or has lost its data: it is replaced. */
  add({ store }: OpenSession, nodeId: string): Promise<string> {
    return this.#mutex.run(async () => {
      const before = await store.members.list();
      const same = before.find(({ name }) => name === nodeId);
      if (same !== undefined) await store.members.remove(same.id);
      const learner = before.find(({ name, role }) => role === 'learner' && name !== nodeId);
      if (learner !== undefined) await this.#promoteEventually(store, learner);
      return (await store.members.add({ name: nodeId })).id;
    });
  }

  /** Removes the member of a node that leaves. Rejects `unavailable` when the others have no majority without it. */
  remove({ store }: OpenSession, nodeId: string): Promise<void> {
    return this.#mutex.run(async () => {
      const member = (await store.members.list()).find(({ name }) => name === nodeId);
      if (member !== undefined) await store.members.remove(member.id);
    });
  }

  /**
   * Makes another manager the leader; with `toSilent` also one that is not heard of: it may be this one that cannot be
   * reached. Rejects `unavailable` when there is none that can lead.
   */
  handOver({ nodeId, store }: OpenSession, { toSilent = false } = {}): Promise<void> {
    return this.#mutex.run(async () => {
      const others = (await store.members.list()).filter(({ name }) => name !== nodeId);
      const isReady = ({ name }: ClusterMember) => store.get(nodes, name)?.value.status.state === 'ready';
      const silent = others.filter(({ role }) => toSilent && role === 'voter');
      const next =
        others.find((each) => each.role === 'voter' && isReady(each)) ??
        others.find(isReady) ??
        silent[Math.floor(Math.random() * silent.length)];
      if (next === undefined) throw unavailable('there is no other manager that could lead');
      if (next.role === 'learner') await this.#promoteEventually(store, next);
      await store.members.transferLeadership(next.id);
    });
  }

  /** Until the session ends. */
  async whileManager(session: OpenSession): Promise<void> {
    const { signal, store } = session;
    let isAlone = false;
    while (!signal.aborted) {
      try {
        isAlone = await this.#mutex.run(() => this.#reconcile(session));
      } catch (err) {
        if (signal.aborted) return;
        this.log.warn(
          { event: 'swarm.members-not-updated', err },
          'failed to update the members of the store; retrying',
        );
      }
      if (isAlone) await changeOfNodes(store, signal);
      await delay(interval, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
  }

  /** @returns this manager is the only one. */
  async #reconcile(session: OpenSession): Promise<boolean> {
    const { nodeId, store } = session;
    const members = await store.members.list();
    const isWanted = (name: string) => store.get(nodes, name)?.value.spec.Role === 'manager';
    for (const { id, name } of members) {
      if (isWanted(name) || name === nodeId) continue;
      await store.members.remove(id);
      this.log.info({ event: 'swarm.member-removed', node: name }, 'a manager was removed from the store');
    }
    await this.#clearRoles(store);
    const learner = members.find(({ role }) => role === 'learner');
    if (learner !== undefined && isWanted(learner.name) && (members.length > 2 || !isWanted(nodeId))) {
      await this.#promote(store, learner).catch((error: unknown) => {
        if (!isBehind(error)) throw error;
      });
    }
    if (!isWanted(nodeId) && members.length > 1) {
      const next = members.find(({ name, role }) => role === 'voter' && name !== nodeId && isWanted(name));
      if (next !== undefined) await store.members.transferLeadership(next.id);
    }
    return members.length === 1;
  }

  /** Nodes that are managers no more, and whose members were removed. */
  async #clearRoles(store: ClusterStore): Promise<void> {
    const members = new Set((await store.members.list()).map(({ name }) => name));
    for (const record of store.list(nodes)) {
      const { manager, ...node } = record.value;
      if (manager === undefined || node.spec.Role === 'manager' || members.has(record.id)) continue;
      await store.transact([updateRecord(nodes, record, node)]);
    }
  }

  async #promote(store: ClusterStore, { id, name }: ClusterMember): Promise<void> {
    await store.members.promote(id);
    this.log.info({ event: 'swarm.member-promoted', node: name }, 'a manager counts for the majority from now on');
  }

  async #promoteEventually(store: ClusterStore, learner: ClusterMember): Promise<void> {
    const deadline = Date.now() + promotionLimit;
    for (;;) {
      try {
        return await this.#promote(store, learner);
      } catch (error) {
        if (!isBehind(error)) throw error;
        if (Date.now() > deadline) {
          throw unavailable(
            `manager ${learner.name} has not received all records yet: it must before another one joins`,
            {
              cause: error,
            },
          );
        }
        await delay(promotionInterval);
      }
    }
  }
}

/** The learner does not have every record yet. */
const isBehind = (error: unknown): boolean => kindOf(error) === 'unavailable';

/** Resolves when a node has changed, or the signal aborts. */
async function changeOfNodes(store: ClusterStore, signal: AbortSignal): Promise<void> {
  for await (const _ of store.watch({ kinds: [nodes], signal })) return;
}
