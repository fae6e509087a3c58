import { setTimeout as delay } from 'node:timers/promises';
import { type ClusterStore, type ClusterStoreDriver, ClusterStoreDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger, StopSignal, settlesWithin } from '@gantry/core/driver';
import { messageOf, notAcceptable, unavailable } from '@gantry/core/errors';
import { type LocalMember, LocalMemberFile } from './local-member-file.js';
import { ManagerSessions, type OpenSession } from './manager-sessions.js';

type MembershipState =
  | { readonly status: 'inactive' }
  /** The store is being opened; with an error the last attempt failed, and another one follows. */
  | { readonly status: 'pending'; readonly member: LocalMember; readonly key: Buffer; readonly error?: string }
  | { readonly status: 'locked'; readonly member: LocalMember }
  | { readonly status: 'active'; readonly member: LocalMember; readonly session: OpenSession };

const retryDelays = [500, 1000, 2000, 5000, 10_000, 30_000];
/** How long a request waits for a store that is being opened. */
const requestPatience = 10_000;

/** Whether this engine is part of a swarm, and the opening of the store of one it is part of. */
@injectable()
export class SwarmMembership {
  #state: MembershipState = { status: 'inactive' };
  #opening: Promise<void> = Promise.resolve();
  #endOpening = new AbortController();

  constructor(
    @inject(ClusterStoreDrivers.token) private readonly drivers: DriverSet<ClusterStoreDriver>,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(ManagerSessions) private readonly sessions: ManagerSessions,
    @inject(StopSignal) private readonly stopSignal: AbortSignal,
    @inject(Logger) private readonly log: Logger,
  ) {}

  get state(): MembershipState {
    return this.#state;
  }

  get driver(): ClusterStoreDriver {
    return this.drivers.get();
  }

  /** Finds the swarm of before the daemon's start. Opens its store in the background: the engine does not wait for it. */
  async resume(): Promise<void> {
    const member = await this.file.read();
    if (member === undefined) return;
    if (member.phase !== 'active') {
      this.log.info(
        { event: 'swarm.unfinished', phase: member.phase },
        'removing a swarm that a crash left unfinished',
      );
      await this.forget();
    } else if (member.key.type === 'locked') {
      this.#state = { status: 'locked', member };
    } else {
      this.openStore(member, Buffer.from(member.key.key, 'base64'));
    }
  }

  /** Opens the store of a swarm in the background, until it succeeds or the daemon stops. */
  openStore(member: LocalMember, key: Buffer): void {
    this.#state = { status: 'pending', member, key };
    this.#endOpening = new AbortController();
    this.#opening = this.#open(member, key, AbortSignal.any([this.#endOpening.signal, this.stopSignal]));
  }

  activate(member: LocalMember, store: ClusterStore, key: Buffer): OpenSession {
    const session = this.sessions.open(store, member.nodeId, key);
    this.#state = { status: 'active', member, session };
    return session;
  }

  /** The local part of an active membership has changed, and is stored. */
  replaceMember(member: LocalMember): void {
    if (this.#state.status === 'active') this.#state = { ...this.#state, member };
  }

  /**
   * The session of a manager; waits a while for a store that is being opened. Rejects `not-acceptable` outside of a swarm,
   * and `unavailable` while it is locked or its store cannot be opened.
   */
  async manager(): Promise<OpenSession> {
    if (this.#state.status === 'pending') {
      await settlesWithin(this.#opening, requestPatience, { signal: this.stopSignal });
    }
    return this.present();
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
            'and try again: it is not part of a swarm.',
        );
      case 'locked':
        throw unavailable(
          'Swarm is encrypted and needs to be unlocked before it can be used. Please use "docker swarm unlock" to unlock it.',
        );
      case 'pending':
        throw unavailable(
          `the store of the swarm is not open${state.error === undefined ? ' yet' : `: ${state.error}`}`,
        );
    }
  }

  /** Ends the session, or the attempts to open the store, before the daemon stops or the store changes. */
  async close(reason: 'left' | 'stopping' = 'stopping'): Promise<void> {
    this.#endOpening.abort();
    await this.#opening;
    await this.sessions.close(reason);
  }

  /** Deletes the store and all this engine keeps of the swarm. */
  async forget(): Promise<void> {
    this.#state = { status: 'inactive' };
    await this.close('left');
    await this.driver.destroy();
    await this.file.delete();
  }

  async #open(member: LocalMember, key: Buffer, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const store = await this.driver.open({ signal });
        if (!signal.aborted) this.activate(member, store, key);
        return;
      } catch (err) {
        if (signal.aborted) return;
        this.log.error({ event: 'swarm.store-not-open', err }, 'failed to open the store of the swarm; retrying');
        this.#state = { status: 'pending', member, key, error: messageOf(err) };
      }
      const wait = retryDelays[Math.min(attempt, retryDelays.length - 1)];
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
  }
}
