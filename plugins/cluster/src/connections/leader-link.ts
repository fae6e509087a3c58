import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { abortable, type Logger, linkedSignal } from '@gantry/core/driver';
import { kindOf, messageOf, unavailable } from '@gantry/core/errors';
import { leastPingInterval, type NodeConnection, type NodeRole, roleOfCertificate } from '@gantry/lib-cluster-protocol';
import { fingerprintOf } from '../certificates/fingerprint-of.js';
import type { OwnIdentity } from '../certificates/identity-file.js';
import { renewalTime } from '../certificates/renewal-time.js';
import {
  type HeartbeatAnswer,
  heartbeatPath,
  type SessionMessage,
  type SwarmSummary,
  sessionPath,
} from '../messages/heartbeat-messages.js';
import type { NodeDescription } from '../records/node-kind.js';
import type { RemoteManager } from '../records/remote-managers.js';
import type { NodeSession } from '../service.js';
import { jittered, LeaderSearch } from './leader-search.js';

interface LinkOptions {
  readonly nodeId: string;
  readonly identity: OwnIdentity;
  readonly managers: readonly RemoteManager[];
  /** Aborts at the end of the session, with the reason `left` when the engine leaves the swarm. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly describe: (identity: OwnIdentity) => NodeDescription;
  /** Where this node is reached. */
  readonly addresses: () => Omit<SessionMessage, 'description'>;
  /** Keeps these addresses true. Called with the one that a connection to a manager comes from. */
  readonly onConnected: (localAddress: string) => Promise<void>;
  /** Resolves to a new identity, which is stored. */
  readonly renew: (connection: NodeConnection) => Promise<OwnIdentity>;
  readonly onManagers: (managers: readonly RemoteManager[]) => Promise<void>;
  /** The role that the swarm gives the node, with every heartbeat; its certificate has it already. */
  readonly onRole: (role: NodeRole) => void;
  readonly onSwarm: (swarm: SwarmSummary | undefined) => void;
  /** The node is not listed in the swarm any more. */
  readonly onRemoved: () => void;
  /** The leader is reached, or why not has changed, or who the managers are. */
  readonly onChange: () => void;
}

/** Milliseconds from the end of a connection to the search for the next one. */
const retryDelay = 50;
const leastCallLimit = 2_000;
/**
 * Periods that the leader has for an answer, about as many as it waits for a node. One that is gone is noticed by its connection
 * long before; a new connection of every node would only keep one busy that is slow to answer.
 */
const answerPeriods = 2.5;

/** The identity of a node, with what its certificate says. */
interface CertifiedIdentity {
  readonly identity: OwnIdentity;
  /** From when on it is renewed. */
  readonly renewAt: number;
  readonly role: NodeRole | undefined;
}

/** What a node has said of itself at the beginning of a session, and the first answer. */
interface BegunSession {
  readonly described: SessionMessage;
  readonly answer: HeartbeatAnswer;
}

const certified = (identity: OwnIdentity): CertifiedIdentity => ({
  identity,
  renewAt: renewalTime(identity.certificate),
  role: roleOfCertificate(identity.certificate),
});

/** The connection of this node to the leader of its swarm, as long as it does not lead: it is made again when it breaks. */
export class LeaderLink implements NodeSession {
  readonly nodeId: string;
  readonly hostname = hostname();
  readonly signal: AbortSignal;
  #own: CertifiedIdentity;
  #managers: readonly RemoteManager[];
  #search: LeaderSearch<BegunSession> | undefined;
  #connection: NodeConnection | undefined;
  readonly #waiting = new Set<() => void>();
  /** Why the leader cannot be reached. */
  #error: string | undefined;

  constructor(private readonly options: LinkOptions) {
    this.nodeId = options.nodeId;
    this.signal = options.signal;
    this.#own = certified(options.identity);
    this.#managers = options.managers;
  }

  get managers(): readonly RemoteManager[] {
    return this.#managers;
  }

  /** Another manager says where it is reached now. */
  async learn({ address, nodeId }: RemoteManager): Promise<void> {
    const manager = { address, nodeId };
    this.#search?.ask(manager);
    await this.#follow(this.#managers.map((each) => (each.nodeId === nodeId ? manager : each)));
  }

  get error(): string | undefined {
    return this.#error;
  }

  hasLeft(): boolean {
    return this.signal.reason === 'left';
  }

  /** Resolves to the connection with the leader; waits for it until the signal aborts. */
  async connected(signal: AbortSignal): Promise<NodeConnection> {
    for (;;) {
      const connection = this.#present;
      if (connection !== undefined) return connection;
      signal.throwIfAborted();
      let resume = (): void => undefined;
      const resumed = new Promise<void>((resolve) => {
        resume = resolve;
      });
      this.#waiting.add(resume);
      await abortable(resumed, signal).finally(() => this.#waiting.delete(resume));
    }
  }

  async call(path: string, body: unknown): Promise<unknown> {
    const limit = linkedSignal(AbortSignal.timeout(leastCallLimit), this.signal);
    const connection = await this.connected(limit).catch((cause: unknown) => {
      throw unavailable('no manager of the swarm can be reached', { cause });
    });
    return connection.call(path, body, { signal: this.signal });
  }

  async *stream(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<unknown> {
    const ended = AbortSignal.any([signal, this.signal]);
    yield* (await this.connected(ended)).stream(path, body, ended);
  }

  /** A connection of bytes with the leader. Rejects `unavailable` while there is none. */
  async tunnel(path: string, message: unknown, signal: AbortSignal): Promise<Duplex> {
    if (this.#present === undefined) throw unavailable('no leader of the swarm can be reached');
    return this.#present.tunnel(path, message, signal);
  }

  get isConnected(): boolean {
    return this.#present !== undefined;
  }

  /** The connection with the leader; one that has ended is about to be replaced. */
  get #present(): NodeConnection | undefined {
    return this.#connection?.closed.aborted === false ? this.#connection : undefined;
  }

  async upload(path: string, message: unknown, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, this.signal]);
    return (await this.connected(ended)).upload(path, message, bytes, ended);
  }

  /** Resolves when the signal has aborted, or the node was removed from the swarm. */
  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        await this.#connect();
      } catch (err) {
        if (this.signal.aborted) return;
        if (kindOf(err) === 'not-found') {
          this.#setError(messageOf(err));
          this.options.log.warn({ event: 'swarm.node-removed', err }, 'this node was removed from its swarm');
          return this.options.onRemoved();
        }
        this.#report(err);
      }
      await delay(jittered(retryDelay), undefined, { signal: this.signal, ref: false }).catch(() => undefined); // aborted: it ends
    }
  }

  #report(err: unknown): void {
    // An outage is tried again several times a second.
    const level = this.#error === messageOf(err) ? 'debug' : 'warn';
    this.#setError(messageOf(err));
    this.options.log[level](
      { event: 'swarm.manager-unreachable', err },
      'failed to reach the managers of the swarm; retrying',
    );
  }

  #setError(error: string): void {
    if (this.#error === error) return;
    this.#error = error;
    this.options.onChange();
  }

  /** One connection, from the search for the leader to its end. Resolves when the next one is to have a new identity. */
  async #connect(): Promise<void> {
    const found = await this.#findLeader();
    if (found === undefined) return;
    const { answer, connection } = found;
    try {
      this.#connection = connection;
      this.#error = undefined;
      this.options.onChange();
      for (const resume of [...this.#waiting]) resume();
      await this.#beat(connection, answer);
    } finally {
      this.#connection = undefined;
      connection.close();
    }
  }

  /** Resolves to nothing when the node has a new identity, with which it has to begin again. */
  async #findLeader() {
    const { identity } = this.#own;
    const others = this.#managers.filter(({ nodeId }) => nodeId !== this.nodeId);
    if (others.length === 0) throw unavailable('no manager of the swarm is known');
    const renewed = new AbortController();
    // An expired certificate is good for nothing else. Read once, since a search may ask a thousand times.
    const expiresAt = renewalTime(identity.certificate, 5 / 3);
    const search = new LeaderSearch<BegunSession>({
      nodeId: this.nodeId,
      identity,
      signal: linkedSignal(renewed.signal, this.signal),
      begin: async (candidate) => {
        if (expiresAt <= Date.now()) {
          await this.#renew(candidate);
          renewed.abort();
        }
        renewed.signal.throwIfAborted();
        return this.#begin(candidate);
      },
      onFailure: (error) => this.#report(error),
    });
    this.#search = search;
    for (const manager of others) search.ask(manager);
    try {
      return await search.found;
    } catch (error) {
      if (renewed.signal.aborted) return undefined;
      throw error;
    } finally {
      renewed.abort();
      this.#search = undefined;
    }
  }

  async #begin(candidate: NodeConnection): Promise<BegunSession> {
    await this.options.onConnected(candidate.localAddress);
    const described = this.#describe();
    const answer = (await candidate.call(sessionPath, described, { signal: this.signal })) as HeartbeatAnswer;
    return { answer, described };
  }

  async #beat(connection: NodeConnection, begun: BegunSession): Promise<void> {
    let { answer, described } = begun;
    const ended = linkedSignal(connection.closed, this.signal);
    for (;;) {
      // Where many nodes make heartbeats rare, they do the same for what costs the leader as much.
      connection.pingInterval = Math.max(leastPingInterval, answer.period / 5);
      await this.#follow(answer.managers);
      this.options.onSwarm(answer.swarm);
      const { identity, renewAt, role } = this.#own;
      const isRotated = answer.issuer !== identity.issuer.publicKey || answer.trust !== fingerprintOf(identity.trust);
      if (isRotated || Date.now() >= renewAt || answer.role !== role) return this.#renew(connection);
      this.options.onRole(answer.role);
      await delay(answer.period, undefined, { signal: ended, ref: false }).catch(() => undefined); // the call says why
      const options = { signal: this.signal, limit: Math.max(leastCallLimit, answerPeriods * answer.period) };
      const present = this.#describe();
      if (isDeepStrictEqual(present, described)) {
        answer = (await connection.call(heartbeatPath, null, options)) as HeartbeatAnswer;
        if (answer.isKnown) continue;
      }
      answer = (await connection.call(sessionPath, present, options)) as HeartbeatAnswer;
      described = present;
    }
  }

  #describe(): SessionMessage {
    return { description: this.options.describe(this.#own.identity), ...this.options.addresses() };
  }

  async #renew(connection: NodeConnection): Promise<void> {
    this.#own = certified(await this.options.renew(connection));
  }

  async #follow(managers: readonly RemoteManager[]): Promise<void> {
    if (managers.length === 0 || isDeepStrictEqual(managers, this.#managers)) return;
    this.#managers = managers;
    this.options.onChange();
    await this.options.onManagers(managers);
  }
}
