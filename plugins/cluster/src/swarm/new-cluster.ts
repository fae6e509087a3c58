import {
  type CertificateAuthorityDriver,
  CertificateAuthorityDrivers,
  type RootCertificate,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { newJoinToken } from '../keys/join-tokens.js';
import { newRootCa } from '../keys/new-root-ca.js';
import { seal } from '../keys/seal.js';
import type { ClusterState, SwarmSpec } from '../records/cluster-kind.js';
import { fieldsWithoutEffect } from './swarm-spec.js';

interface NewClusterOptions extends Pick<ClusterState, 'defaultAddressPools' | 'subnetSize' | 'dataPathPort'> {
  readonly spec: SwarmSpec;
  readonly unlockKey: string | undefined;
}

/** Makes the record of a new swarm, with its root certificate and its join tokens. */
@injectable()
export class NewCluster {
  constructor(
    @inject(CertificateAuthorityDrivers.token) private readonly authorities: DriverSet<CertificateAuthorityDriver>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** @param key that secrets of the swarm are sealed with. */
  async create(
    { unlockKey, ...options }: NewClusterOptions,
    key: Buffer,
  ): Promise<{ readonly cluster: ClusterState; readonly rootCa: RootCertificate }> {
    const rootCa = await newRootCa(this.authorities.get());
    const sealed = (text: string): string => seal(key, Buffer.from(text));
    const cluster: ClusterState = {
      ...options,
      rootCa: { ...rootCa, key: sealed(rootCa.key) },
      joinTokens: {
        worker: sealed(newJoinToken(rootCa.certificate)),
        manager: sealed(newJoinToken(rootCa.certificate)),
      },
      unlockKey: unlockKey === undefined ? undefined : sealed(unlockKey),
    };
    this.#reportIgnoredFields(fieldsWithoutEffect(options.spec));
    return { cluster, rootCa };
  }

  #reportIgnoredFields(fields: readonly string[]): void {
    if (fields.length === 0) return;
    this.log.warn({ event: 'swarm.fields-without-effect', fields }, 'fields of the swarm are kept and have no effect');
  }
}
