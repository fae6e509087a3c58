import { inject, injectable, Logger } from '@gantry/core/driver';
import { RootCertificates, type WantedRoot } from '../certificates/root-certificates.js';
import { newJoinToken } from '../keys/join-tokens.js';
import { seal } from '../keys/seal.js';
import type { ClusterState, SwarmSpec } from '../records/cluster-kind.js';
import { fieldsWithoutEffect } from './swarm-spec.js';

interface NewClusterOptions extends Pick<ClusterState, 'defaultAddressPools' | 'subnetSize' | 'dataPathPort'> {
  readonly spec: SwarmSpec;
  readonly unlockKey: string | undefined;
  readonly root: WantedRoot;
}

/** Makes the record of a new swarm, with its root certificate and its join tokens. */
@injectable()
export class NewCluster {
  constructor(
    @inject(RootCertificates) private readonly roots: RootCertificates,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** @param key that secrets of the swarm are sealed with. */
  async create({ root, unlockKey, ...options }: NewClusterOptions, key: Buffer): Promise<ClusterState> {
    const rootCa = await this.roots.create(key, root);
    const sealed = (text: string): string => seal(key, Buffer.from(text));
    const cluster: ClusterState = {
      ...options,
      rootCa,
      joinTokens: {
        worker: sealed(newJoinToken(rootCa.certificate)),
        manager: sealed(newJoinToken(rootCa.certificate)),
      },
      unlockKey: unlockKey === undefined ? undefined : sealed(unlockKey),
    };
    this.#reportIgnoredFields(fieldsWithoutEffect(options.spec, rootCa));
    return cluster;
  }

  #reportIgnoredFields(fields: readonly string[]): void {
    if (fields.length === 0) return;
    this.log.warn({ event: 'swarm.fields-without-effect', fields }, 'fields of the swarm are kept and have no effect');
  }
}
