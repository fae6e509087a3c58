import { createRecord } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { DescribeEngine } from '../engine/describe-engine.js';
import { newKey } from '../keys/seal.js';
import { newUnlockKey } from '../keys/unlock-key.js';
import { ManagerEndpoint } from '../manager/manager-endpoint.js';
import { LocalMemberFile, type ManagerMember } from '../membership/local-member-file.js';
import { lockedKey, plainKey } from '../membership/locked-key.js';
import { ManagerStore } from '../membership/manager-store.js';
import { hostOf, type RequestedAddresses, resolveAddresses } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { clusters } from '../records/cluster-kind.js';
import { newId } from '../records/new-id.js';
import { nodes } from '../records/node-kind.js';
import { parsePools, type RequestedPools } from './address-pools.js';
import { NewCluster } from './new-cluster.js';
import { parseSwarmSpec, parseWantedRoot, type SwarmSpecBody } from './swarm-spec.js';

export interface InitRequest extends RequestedAddresses, RequestedPools {
  readonly ForceNewCluster?: boolean | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | undefined;
  readonly Spec?: SwarmSpecBody | undefined;
}

/** Makes a swarm with this engine as its only manager. */
@injectable()
export class CreateSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(DescribeEngine) private readonly engine: DescribeEngine,
    @inject(NewCluster) private readonly newCluster: NewCluster,
    @inject(ManagerEndpoint) private readonly endpoint: ManagerEndpoint,
  ) {}

  /** Returns the id of the node. */
  async create(request: InitRequest): Promise<string> {
    const spec = parseSwarmSpec(request.Spec);
    const root = parseWantedRoot(request.Spec);
    const pools = parsePools(request);
    const addresses = resolveAddresses(request);
    this.store.checkNoOrphan();
    const nodeId = newId();
    const key = newKey();
    const unlockKey = spec.EncryptionConfig.AutoLockManagers ? newUnlockKey() : undefined;
    const localKey = unlockKey === undefined ? plainKey(key) : lockedKey(unlockKey, key);
    const member: ManagerMember = { role: 'manager', phase: 'creating', nodeId, addresses, key: localKey };
    await this.file.write(member);
    crashPoint('cluster.init.begun');
    try {
      const [store, cluster] = await Promise.all([
        this.store.create(nodeId),
        this.newCluster.create({ spec, ...pools, root, unlockKey }, key),
      ]);
      crashPoint('cluster.init.store-created');
      await store.transact([
        createRecord(clusters, newId(), cluster),
        createRecord(nodes, nodeId, {
          spec: { Labels: {}, Role: 'manager', Availability: request.Availability ?? 'active' },
          description: this.engine.describe({ trust: cluster.rootCa.certificate, issuer: cluster.rootCa }),
          status: { state: 'ready', address: hostOf(addresses.advertise) },
          dataPath: addresses.dataPath,
          manager: { memberId: store.memberId, address: addresses.advertise },
        }),
        ...this.membership.initialRecords.changesFor(cluster),
      ]);
      crashPoint('cluster.init.records-stored');
      const active: ManagerMember = { ...member, phase: 'active' };
      await this.file.write(active);
      crashPoint('cluster.init.active');
      await this.membership.manage(active, key, store);
      await this.endpoint.openFirst(await this.membership.manager(), addresses.listen);
    } catch (error) {
      await this.membership.forget();
      throw error;
    }
    return nodeId;
  }
}
