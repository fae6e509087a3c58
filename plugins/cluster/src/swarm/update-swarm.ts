import { type ClusterRecord, updateRecord } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { authoritiesOf } from '../certificates/external-authorities.js';
import { RootCertificates } from '../certificates/root-certificates.js';
import { isTokenOf, newJoinToken } from '../keys/join-tokens.js';
import { seal, unseal } from '../keys/seal.js';
import { newUnlockKey } from '../keys/unlock-key.js';
import { MembershipMutex } from '../membership/membership-mutex.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { type ClusterState, clusters, issuingRoot, type RootCa, type SwarmSpec } from '../records/cluster-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { ApplyLock } from './apply-lock.js';
import { fieldsWithoutEffect, parseSwarmSpec, parseWantedRoot, type SwarmSpecBody } from './swarm-spec.js';

interface SwarmUpdate {
  readonly version: number;
  readonly spec: SwarmSpecBody;
  /** New values, which replace the present tokens. */
  readonly joinTokens: { readonly Worker?: string | undefined; readonly Manager?: string | undefined };
  readonly rotate: { readonly worker: boolean; readonly manager: boolean; readonly unlockKey: boolean };
}

/** Changes the specification of the swarm, its join tokens, its unlock key and its root certificate. */
@injectable()
export class UpdateSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(RootCertificates) private readonly roots: RootCertificates,
    @inject(ApplyLock) private readonly lock: ApplyLock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Rejects `conflict` unless the swarm has this version. */
  update(request: SwarmUpdate): Promise<void> {
    return this.mutex.run(async () => {
      const session = await this.membership.manager();
      const cluster = presentCluster(session.store);
      const spec = parseSwarmSpec(request.spec);
      const wantedRoot = parseWantedRoot(request.spec);
      if (cluster.revision !== request.version) throw conflict('update out of sequence');
      const rootCa = await this.roots.replace(session.key, cluster.value.rootCa, wantedRoot);
      checkAuthorities(spec, rootCa);
      const next: ClusterState = {
        ...cluster.value,
        spec,
        rootCa,
        joinTokens: this.#tokens(session, cluster, request),
        unlockKey: this.#unlockKey(session, cluster, request.rotate.unlockKey, spec.EncryptionConfig.AutoLockManagers),
      };
      await session.store.transact([updateRecord(clusters, cluster, next)]);
      await this.lock.apply(session);
      const fields = fieldsWithoutEffect(spec, issuingRoot(rootCa));
      if (fields.length > 0) {
        this.log.warn(
          { event: 'swarm.fields-without-effect', fields },
          'fields of the swarm are kept and have no effect',
        );
      }
    });
  }

  #tokens(
    { key }: OpenSession,
    { value: { rootCa, joinTokens } }: ClusterRecord<ClusterState>,
    { joinTokens: given, rotate }: SwarmUpdate,
  ): ClusterState['joinTokens'] {
    const token = (role: 'Worker' | 'Manager', present: string, isRotated: boolean): string => {
      if (isRotated) return seal(key, Buffer.from(newJoinToken(rootCa.certificate)));
      const wanted = given[role] ?? '';
      if (wanted === '' || wanted === unseal(key, present).toString()) return present;
      if (!isTokenOf(rootCa.certificate, wanted)) {
        throw invalidArgument(`JoinTokens.${role}: the value is not a join token of this swarm`);
      }
      return seal(key, Buffer.from(wanted));
    };
    return {
      worker: token('Worker', joinTokens.worker, rotate.worker),
      manager: token('Manager', joinTokens.manager, rotate.manager),
    };
  }

  #unlockKey(
    { key }: OpenSession,
    { value }: ClusterRecord<ClusterState>,
    rotate: boolean,
    isLocked: boolean,
  ): string | undefined {
    if (!isLocked) return undefined;
    if (value.unlockKey !== undefined && !rotate) return value.unlockKey;
    return seal(key, Buffer.from(newUnlockKey()));
  }
}

/** @throws EngineError `invalid-argument` when no one would issue the certificates of nodes. */
function checkAuthorities({ CAConfig: { ExternalCAs = [] } }: SwarmSpec, rootCa: RootCa): void {
  const root = issuingRoot(rootCa);
  if (root.key !== undefined || authoritiesOf(root, rootCa, ExternalCAs).length > 0) return;
  throw invalidArgument(
    'CAConfig.ExternalCAs: the key of the root certificate is at an external authority: one with this CACert has to stay',
  );
}
