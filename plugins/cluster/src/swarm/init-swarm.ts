import { createRecord } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { notAcceptable } from '@gantry/core/errors';
import { newJoinToken } from '../keys/join-tokens.js';
import { newKey, seal } from '../keys/seal.js';
import { newUnlockKey } from '../keys/unlock-key.js';
import { type LocalMember, LocalMemberFile } from '../membership/local-member-file.js';
import { lockedKey, plainKey } from '../membership/locked-key.js';
import { MembershipMutex } from '../membership/membership-mutex.js';
import { hostOf, type RequestedAddresses, resolveAddresses } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { DescribeEngine } from '../nodes/describe-engine.js';
import { type ClusterState, clusters } from '../records/cluster-kind.js';
import { newId } from '../records/new-id.js';
import { nodes } from '../records/node-kind.js';
import { parsePools, type RequestedPools } from './address-pools.js';
import { fieldsWithoutEffect, parseSwarmSpec, type SwarmSpecBody } from './swarm-spec.js';

interface InitRequest extends RequestedAddresses, RequestedPools {
  readonly ForceNewCluster?: boolean | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | undefined;
  readonly Spec?: SwarmSpecBody | undefined;
}

/** Makes a swarm with this engine as its manager. */
@injectable()
export class InitSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(DescribeEngine) private readonly engine: DescribeEngine,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Returns the id of the node. Rejects `not-acceptable` when the engine is part of a swarm, unless a new cluster is
   * forced: then it becomes the only manager of that swarm.
   */
  init(request: InitRequest): Promise<string> {
    return this.mutex.run(async () => {
      const { state } = this.membership;
      if (state.status === 'inactive') return this.#create(request);
      if (request.ForceNewCluster === true && (state.status === 'active' || state.status === 'pending')) {
        return this.#recover(request, state.member, state.status === 'active' ? state.session.key : state.key);
      }
      throw notAcceptable(
        'This node is already part of a swarm. Use "docker swarm leave" to leave this swarm and join another one.',
      );
    });
  }

  async #create(request: InitRequest): Promise<string> {
    const spec = parseSwarmSpec(request.Spec);
    const pools = parsePools(request);
    const addresses = resolveAddresses(request);
    const nodeId = newId();
    const key = newKey();
    const unlockKey = spec.EncryptionConfig.AutoLockManagers ? newUnlockKey() : undefined;
    const localKey = unlockKey === undefined ? plainKey(key) : lockedKey(unlockKey, key);
    const member: LocalMember = { phase: 'creating', nodeId, addresses, key: localKey };
    await this.file.write(member);
    try {
      const [store, rootCa] = await Promise.all([this.membership.driver.create({ name: nodeId }), newRootCa()]);
      const sealed = (text: string): string => seal(key, Buffer.from(text));
      const cluster: ClusterState = {
        spec,
        ...pools,
        rootCa: { ...rootCa, key: sealed(rootCa.key) },
        joinTokens: {
          worker: sealed(newJoinToken(rootCa.certificate)),
          manager: sealed(newJoinToken(rootCa.certificate)),
        },
        unlockKey: unlockKey === undefined ? undefined : sealed(unlockKey),
      };
      await store.transact([
        createRecord(clusters, newId(), cluster),
        createRecord(nodes, nodeId, {
          spec: { Labels: {}, Role: 'manager', Availability: request.Availability ?? 'active' },
          description: this.engine.describe(rootCa),
          status: { state: 'ready', address: hostOf(addresses.advertise) },
          manager: { memberId: store.memberId, address: addresses.advertise },
        }),
      ]);
      const active: LocalMember = { ...member, phase: 'active' };
      await this.file.write(active);
      this.membership.activate(active, store, key);
    } catch (error) {
      await this.membership.forget();
      throw error;
    }
    this.#reportIgnoredFields(fieldsWithoutEffect(spec));
    return nodeId;
  }

  /** The other managers are lost: this one goes on alone, with every record it has. */
  async #recover(request: InitRequest, member: LocalMember, key: Buffer): Promise<string> {
    const addresses =
      (request.AdvertiseAddr ?? '') === '' && (request.ListenAddr ?? '') === ''
        ? member.addresses
        : resolveAddresses(request);
    await this.membership.close();
    try {
      const store = await this.membership.driver.recover();
      const active: LocalMember = { ...member, addresses };
      await this.file.write(active);
      this.membership.activate(active, store, key);
    } catch (error) {
      this.membership.openStore(member, key); // as it was: in the background, again and again
      throw error;
    }
    return member.nodeId;
  }

  #reportIgnoredFields(fields: readonly string[]): void {
    if (fields.length === 0) return;
    this.log.warn({ event: 'swarm.fields-without-effect', fields }, 'fields of the swarm are kept and have no effect');
  }
}

/** Loads the library for certificates, which nothing else needs. */
async function newRootCa() {
  const { createRootCa } = await import('../keys/create-root-ca.js');
  return createRootCa();
}
