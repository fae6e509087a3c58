import { setMaxListeners } from 'node:events';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { NodeConnection, NodeRole } from '@gantry/lib-cluster-protocol';
import { IdentityFile, type IdentitySeal, type OwnIdentity } from '../certificates/identity-file.js';
import { IssueCertificate } from '../certificates/issue-certificate.js';
import type { IssuedCertificate } from '../certificates/issued-certificate.js';
import { LeaderLink } from '../connections/leader-link.js';
import { DescribeEngine } from '../engine/describe-engine.js';
import { leavePath, type SwarmSummary } from '../messages/heartbeat-messages.js';
import { renewPath } from '../messages/join-messages.js';
import type { RemoteManager } from '../records/remote-managers.js';
import { NodeSessions } from '../sessions/node-sessions.js';
import { type LocalMember, LocalMemberFile } from './local-member-file.js';
import { hasLostAddress, hostOf, movedTo } from './node-addresses.js';

/** How long a node that leaves waits for a manager to hear of it, in milliseconds. */
const leaveLimit = 5_000;

/** This engine as a node of a swarm that does not lead. */
@injectable()
export class ConnectedNode {
  /** What the leader said of the swarm last, when this node is a manager. */
  swarm: SwarmSummary | undefined;
  #onRole: (role: NodeRole) => void = () => undefined;
  #onManagers: (managers: readonly RemoteManager[]) => void = () => undefined;
  #onSwarm: (swarm: SwarmSummary) => void = () => undefined;
  readonly #listeners = new Set<() => void>();
  #open: { readonly link: LeaderLink; readonly end: AbortController; readonly running: Promise<void> } | undefined;

  constructor(
    @inject(IdentityFile) private readonly identities: IdentityFile,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(IssueCertificate) private readonly certificates: IssueCertificate,
    @inject(DescribeEngine) private readonly engine: DescribeEngine,
    @inject(NodeSessions) private readonly sessions: NodeSessions,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Calls back with the role that the swarm gives this node, with every heartbeat, and with the managers that there are. */
  follow(listeners: {
    readonly onRole: (role: NodeRole) => void;
    readonly onManagers: (managers: readonly RemoteManager[]) => void;
  }): void {
    this.#onRole = listeners.onRole;
    this.#onManagers = listeners.onManagers;
  }

  /** Calls back with what the leader says of the swarm to managers, with every heartbeat. */
  onSwarm(listener: (swarm: SwarmSummary) => void): void {
    this.#onSwarm = listener;
  }

  /** Calls back when the leader is reached, or why not has changed, or who the managers are. @returns removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** How the key of this node's certificate is stored: sealed in a manager of a swarm that locks itself. */
  protectIdentity(wanted: IdentitySeal | undefined): Promise<void> {
    return this.identities.protect(wanted);
  }

  /** Undefined while the engine leads, and outside of a swarm. */
  get link(): LeaderLink | undefined {
    return this.#open?.link;
  }

  /** Connects to the leader in the background, again and again. Rejects `unavailable` without a readable identity. */
  async open(member: LocalMember): Promise<void> {
    if (this.#open !== undefined) return;
    const identity = this.identities.present ?? (await this.identities.read());
    if (identity === undefined) throw unavailable('the certificate of this node is missing');
    const end = new AbortController();
    setMaxListeners(0, end.signal); // every call in progress listens
    const link = new LeaderLink({
      nodeId: member.nodeId,
      identity,
      managers: managersOf(this.file.present ?? member),
      signal: end.signal,
      log: this.log,
      describe: (present) => this.engine.describe(present),
      renew: (connection) => this.#renew(connection),
      addresses: () => ({
        ...sessionAddresses(this.file.present ?? member),
        keepsClientAddresses: this.engine.keepsClientAddresses ?? 'unknown',
      }),
      onConnected: (address) => this.#followHost(address),
      onRole: (role) => this.#onRole(role),
      onSwarm: (swarm) => {
        this.swarm = swarm;
        if (swarm !== undefined) this.#onSwarm(swarm);
      },
      onManagers: async (managers) => {
        this.#onManagers(managers);
        if (!end.signal.aborted) await this.file.update((present) => ({ ...present, managers }));
      },
      onRemoved: () => end.abort('left'),
      onChange: () => {
        for (const listener of [...this.#listeners]) listener();
      },
    });
    this.#open = { link, end, running: link.run() };
    this.sessions.open(link);
  }

  /** Ends the session, and waits for its work. */
  async close(reason: 'left' | 'stopping'): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    if (reason === 'left') await this.#announceLeave(open.link);
    open.end.abort(reason);
    await open.running;
    await this.sessions.close();
    this.#open = undefined;
  }

  /** Deletes the identity of this node. */
  forget(): Promise<void> {
    return this.identities.delete();
  }

  async #renew(connection: NodeConnection): Promise<OwnIdentity> {
    const { key, request } = await this.certificates.createRequest();
    const issued = (await connection.call(renewPath, request)) as IssuedCertificate;
    const identity = { ...issued, key };
    await this.identities.write(identity);
    this.log.info({ event: 'swarm.certificate-renewed' }, "this node's certificate was renewed");
    return identity;
  }

  /** A host that was given another address is reached at that one from now on. */
  async #followHost(address: string): Promise<void> {
    const { present } = this.file;
    if (present === undefined || !hasLostAddress(present.addresses)) return;
    await this.file.update((member) => ({ ...member, addresses: movedTo(address, member.addresses) }));
    const facts = { event: 'swarm.address-changed', from: present.addresses.advertise, address };
    this.log.warn(facts, 'the host has lost the address of this node; advertising another one of it');
  }

  /** Otherwise the node would be down only after its missed heartbeats. */
  async #announceLeave(link: LeaderLink): Promise<void> {
    try {
      const connection = await link.connected(AbortSignal.timeout(leaveLimit));
      await connection.call(leavePath, null, { limit: leaveLimit });
    } catch (err) {
      this.log.warn({ event: 'swarm.leave-not-announced', err }, 'no manager heard of the leave');
    }
  }
}

function sessionAddresses({ addresses: { advertise, dataPath }, role }: LocalMember) {
  return { address: hostOf(advertise), dataPath, ...(role === 'manager' && { managerAddress: advertise }) };
}

const managersOf = ({ managers = [] }: LocalMember): readonly RemoteManager[] => managers;
