import { updateRecord } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { ManagerIdentity } from '../certificates/manager-identity.js';
import { nextRotationStep } from '../certificates/next-rotation-step.js';
import { newJoinToken } from '../keys/join-tokens.js';
import { seal } from '../keys/seal.js';
import { type ClusterState, clusters } from '../records/cluster-kind.js';
import { nodes } from '../records/node-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { untilDone } from '../sessions/until-done.js';

/**
 * Takes the rotation of the root certificate from step to step, as the nodes follow. Each step is one transaction, and what
 * the nodes have is in their records: another leader goes on where the last one ended.
 */
@injectable()
export class RootRotation {
  constructor(
    @inject(ManagerIdentity) private readonly identity: ManagerIdentity,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** For as long as the session lasts. */
  whileManager(session: OpenSession): Promise<void> {
    return untilDone(
      session.signal,
      () => this.#follow(session),
      (err) => {
        this.log.warn({ event: 'swarm.rotation-delayed', err }, 'failed to rotate the root certificate; retrying');
      },
    );
  }

  async #follow(session: OpenSession): Promise<void> {
    const { signal, store } = session;
    const changes = store.watch({ kinds: [clusters, nodes], signal });
    await this.#advance(session);
    for await (const { changes: batch } of changes) {
      // While nothing is rotated, it does not matter what nodes say of their certificates.
      if (batch.some(({ kind }) => kind === clusters.name) || isRotating(store)) await this.#advance(session);
    }
  }

  async #advance(session: OpenSession): Promise<void> {
    const { key, store } = session;
    await this.identity.present(session); // the leader issues its own certificate
    const cluster = presentCluster(store);
    const rootCa = nextRotationStep(
      cluster.value.rootCa,
      store.list(nodes).map(({ value }) => value),
    );
    if (rootCa === undefined) return;
    crashPoint('cluster.rotation.ready');
    const isReplaced = rootCa.certificate !== cluster.value.rootCa.certificate;
    const token = (): string => seal(key, Buffer.from(newJoinToken(rootCa.certificate)));
    const next: ClusterState = {
      ...cluster.value,
      rootCa,
      ...(isReplaced && { joinTokens: { worker: token(), manager: token() } }),
    };
    await store.transact([updateRecord(clusters, cluster, next)]);
    crashPoint('cluster.rotation.advanced');
    if (isReplaced) this.log.info({ event: 'swarm.root-rotated' }, 'the root certificate of the swarm was rotated');
  }
}

function isRotating(store: OpenSession['store']): boolean {
  const { chain, next } = presentCluster(store).value.rootCa;
  return chain !== undefined || next !== undefined;
}
