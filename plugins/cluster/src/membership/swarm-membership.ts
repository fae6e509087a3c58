import type { ClusterStore } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { abortable, inject, injectable, Logger, StopSignal, settlesWithin, untilAborted } from '@gantry/core/driver';
import { notAcceptable, unavailable } from '@gantry/core/errors';
import type { NodeRole } from '@gantry/lib-cluster-protocol';
import { ManagerSessions, type OpenSession } from '../sessions/manager-sessions.js';
import { ConnectedNode } from './connected-node.js';
import { InitialRecords } from './initial-records.js';
import { LocalMemberFile, type ManagerMember, type WorkerMember } from './local-member-file.js';
import { ManagerStore } from './manager-store.js';

export type MembershipState =
  | { readonly status: 'inactive' }
  /** A manager that does not lead: another one does, or the store is being opened. With an error the last attempt failed. */
  | { readonly status: 'pending'; readonly member: ManagerMember; readonly key: Buffer; readonly error?: string }
  | { readonly status: 'locked'; readonly member: ManagerMember }
  /** The leader. */
  | { readonly status: 'active'; readonly member: ManagerMember; readonly session: OpenSession }
  | { readonly status: 'worker'; readonly member: WorkerMember };

/** How long a request waits for a store that is being opened, or for a leader. */
const requestPatience = 10_000;

/** Whether this engine is part of a swarm, and as what. */
@injectable()
export class SwarmMembership {
  readonly initialRecords = new InitialRecords();
  #state: MembershipState = { status: 'inactive' };
  #isResumed = false;
  #managing: Promise<void> = Promise.resolve();
  #endManaging = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(ManagerSessions) private readonly sessions: ManagerSessions,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
    @inject(StopSignal) private readonly stopSignal: AbortSignal,
    @inject(Logger) private readonly log: Logger,
  ) {}

  get state(): MembershipState {
    return this.#state;
  }

  /** Calls back after every change of the state. @returns removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Finds the swarm of before the daemon's start, without going on with it. Requests wait for that: a member that is not
   * connected yet must not look like an engine outside of any swarm, which could make another one.
   */
  async find(): Promise<void> {
    const member = await this.file.read();
    if (member === undefined) {
      this.#reportOrphan();
    } else if (member.role === 'worker') {
      this.#set({ status: 'worker', member });
    } else if (member.phase === 'joining') {
      const { addresses, managers = [], nodeId } = member;
      this.#set({ status: 'worker', member: { role: 'worker', nodeId, addresses, managers } });
    } else if (member.phase !== 'active') {
      this.log.info(
        { event: 'swarm.unfinished', phase: member.phase },
        'removing a swarm that a crash left unfinished',
      );
      await this.forget();
    } else if (member.key.type === 'locked') {
      this.#set({ status: 'locked', member });
    } else {
      this.#set({ status: 'pending', member, key: Buffer.from(member.key.key, 'base64') });
    }
  }

  /** Goes on with the swarm that was found. Opens its store in the background: the engine does not wait for it. */
  async resume(): Promise<void> {
    const state = this.#state;
    if (state.status === 'worker') await this.work(state.member);
    if (state.status === 'pending') await this.manage(state.member, state.key);
    this.#isResumed = true;
    this.#notify();
  }

  #reportOrphan(): void {
    try {
      this.store.checkNoOrphan();
    } catch (err) {
      this.log.error({ event: 'swarm.store-orphaned', err }, 'this engine has the store of a swarm it is not part of');
    }
  }

  /** Is a worker from now on. Rejects `unavailable` without a certificate of this node. */
  async work(member: WorkerMember): Promise<void> {
    await this.node.open(member);
    this.#set({ status: 'worker', member });
  }

  /** A manager is a worker from now on; its member of the store is deleted. */
  async workInstead(member: WorkerMember): Promise<void> {
    await this.#stopManaging();
    await this.node.protectIdentity(undefined); // before nothing can unlock it
    await this.file.write(member);
    await this.store.destroy();
    await this.work(member);
  }

  /**
   * Is a manager from now on: leads whenever its store does, and otherwise is a node of another leader. Opens the store in the
   * background, until the membership is closed.
   * @param opened a store that is open.
   */
  async manage(member: ManagerMember, key: Buffer, opened?: ClusterStore): Promise<void> {
    await this.node.protectIdentity({ key, isLocked: member.key.type === 'locked' });
    this.#set({ status: 'pending', member, key });
    this.#endManaging = new AbortController();
    if (opened !== undefined) this.#lead(member, key, opened);
    else await this.#connect(member);
    this.#managing = this.#manage(key, AbortSignal.any([this.#endManaging.signal, this.stopSignal]), opened);
  }

  /** The local part of a membership has changed, and is stored. */
  replaceMember(member: ManagerMember): void {
    if (this.#state.status === 'active' || this.#state.status === 'pending') this.#set({ ...this.#state, member });
  }

  /**
   * The session of the leader; waits a while for a store that is being opened. Rejects `not-acceptable` outside of a swarm,
   * and `unavailable` while it is locked, its store cannot be opened, or another manager leads.
   */
  async manager(): Promise<OpenSession> {
    await this.#leads(requestPatience);
    return this.present();
  }

  /** Resolves when this node is connected with the leader, and is what it joined as. Rejects with the reason of the signal. */
  async joined(role: NodeRole, signal: AbortSignal): Promise<void> {
    await this.node.link?.connected(signal);
    const isManager = () => this.#state.status === 'pending' || this.#state.status === 'active';
    if (role === 'worker' || isManager()) return;
    await abortable(this.#until(isManager, signal), signal);
  }

  /** Resolves when this manager leads or is connected with the leader. Rejects `unavailable` when it does neither in time. */
  async settled(): Promise<void> {
    await this.#holdsWithin(() => this.#isResumed, requestPatience);
    const { link } = this.node;
    if (this.#state.status !== 'pending' || link?.isConnected) return;
    const end = AbortSignal.any([this.stopSignal, AbortSignal.timeout(requestPatience)]);
    const connected = link?.connected(end).then(() => true);
    const leads = this.#leads(requestPatience);
    if (connected === undefined) await leads;
    else await Promise.race([leads, connected.catch(() => leads)]);
    if (this.#state.status === 'pending' && !this.node.link?.isConnected) this.present();
  }

  /** Resolves when this engine is no manager that waits for its store or for a leader, or after a time. */
  async #leads(limit: number): Promise<void> {
    await this.#holdsWithin(() => this.#state.status !== 'pending', limit);
  }

  /** Resolves when the condition holds, or after a time. Rejects when the daemon stops. */
  async #holdsWithin(condition: () => boolean, limit: number): Promise<void> {
    const end = new AbortController();
    try {
      await settlesWithin(this.#until(condition, end.signal), limit, { signal: this.stopSignal });
    } finally {
      end.abort();
    }
  }

  /** Resolves when the condition holds; what it listens to is released when the signal aborts. */
  #until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (condition()) return resolve();
      const remove = this.onChange(() => {
        if (!condition()) return;
        remove();
        resolve();
      });
      signal.addEventListener('abort', remove, { once: true });
    });
  }

  /** As `manager`, without waiting. @throws EngineError. */
  present(): OpenSession {
    const state = this.#state;
    switch (state.status) {
      case 'active':
        return state.session;
      case 'inactive':
        throw notAcceptable(
          'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm ' +
            'and try again.',
        );
      case 'worker':
        throw notAcceptable(
          "This node is not a swarm manager. Worker nodes can't be used to view or modify cluster state. Please run this " +
            'command on a manager node or promote the current node to a manager.',
        );
      case 'locked':
        throw unavailable(
          'Swarm is encrypted and needs to be unlocked before it can be used. Please use "docker swarm unlock" to unlock it.',
        );
      case 'pending':
        throw this.isOneOfSeveral
          ? noLeader(state.error)
          : unavailable(`the store of the swarm is not open${state.error === undefined ? ' yet' : `: ${state.error}`}`);
    }
  }

  /** There are other managers. */
  get isOneOfSeveral(): boolean {
    const { present } = this.file;
    return (present?.managers ?? []).some(({ nodeId }) => nodeId !== present?.nodeId);
  }

  /** Ends the session, or the attempts to open the store, before the daemon stops or the store changes. */
  async close(reason: 'left' | 'stopping' = 'stopping'): Promise<void> {
    await this.#stopManaging(reason);
    await this.node.close(reason);
  }

  /** Deletes the store and all this engine keeps of the swarm. */
  async forget(): Promise<void> {
    this.#set({ status: 'inactive' });
    await this.close('left');
    if (this.store.driver.exists()) await this.store.destroy();
    crashPoint('cluster.forget.store-destroyed');
    await this.file.delete();
    await this.node.forget();
    // A store without a membership is one that was lost, until here.
    this.#notify();
  }

  async #stopManaging(reason: 'left' | 'stopping' = 'stopping'): Promise<void> {
    this.#endManaging.abort();
    await this.sessions.close(reason);
    await this.#managing;
  }

  async #manage(key: Buffer, signal: AbortSignal, opened: ClusterStore | undefined): Promise<void> {
    let store = opened;
    while (!signal.aborted) {
      store ??= await this.store.open({ signal, onFailure: (error) => this.#setError(error) });
      if (store === undefined) return;
      if (this.#state.status !== 'active') {
        await this.node.close('stopping');
        if (signal.aborted || this.#state.status !== 'pending') return;
        this.#lead(this.#state.member, key, store);
      }
      await untilAborted(AbortSignal.any([store.closed, signal]));
      store = undefined;
      if (signal.aborted || this.#state.status !== 'active') return;
      this.log.warn({ event: 'swarm.leadership-lost' }, 'this manager does not lead the swarm any more');
      const { member } = this.#state;
      this.#set({ status: 'pending', member, key });
      await this.sessions.close('stopping');
      if (!signal.aborted) await this.#connect(member);
    }
  }

  #lead(member: ManagerMember, key: Buffer, store: ClusterStore): void {
    this.#set({ status: 'active', member, session: this.sessions.open(store, member.nodeId, key) });
    this.log.info({ event: 'swarm.leading' }, 'this manager leads the swarm');
  }

  /** As a node of the leader, which only swarms of several managers have elsewhere. */
  async #connect(member: ManagerMember): Promise<void> {
    this.store.follow(this.file.present?.managers ?? []);
    if (this.isOneOfSeveral) await this.node.open(member);
  }

  #setError(error: string): void {
    if (this.#state.status === 'pending') this.#set({ ...this.#state, error });
  }

  #set(state: MembershipState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** In the words that clients know. */
const noLeader = (error: string | undefined) =>
  unavailable(
    "The swarm does not have a leader. It's possible that too few managers are online. Make sure more than half of the " +
      `managers are online.${error === undefined ? '' : ` This one cannot lead: ${error}`}`,
  );
