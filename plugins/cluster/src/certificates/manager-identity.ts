import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable, Logger, Mutex } from '@gantry/core/driver';
import { roleOfCertificate } from '@gantry/lib-cluster-protocol';
import { issuingRoot } from '../records/cluster-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { IdentityFile, type OwnIdentity } from './identity-file.js';
import { IssueCertificate } from './issue-certificate.js';
import { renewalTime } from './renewal-time.js';

const retryDelay = 2_000;
/** Timers of Node overflow after 24 days. */
const longestWait = 24 * 3600 * 1000;

/** The identity of the leader, which issues its own certificate. */
@injectable()
export class ManagerIdentity {
  readonly #mutex = new Mutex();

  constructor(
    @inject(IdentityFile) private readonly file: IdentityFile,
    @inject(IssueCertificate) private readonly certificates: IssueCertificate,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The one that is stored, or another one when that is due for renewal, of another root, or absent. */
  present(session: OpenSession): Promise<OwnIdentity> {
    return this.#mutex.run(async () => {
      const stored = this.file.present ?? (await this.file.read());
      const { rootCa } = presentCluster(session.store).value;
      const isPresent =
        stored !== undefined &&
        stored.trust === rootCa.certificate &&
        stored.issuer.publicKey === issuingRoot(rootCa).publicKey &&
        roleOfCertificate(stored.certificate) === 'manager' &&
        renewalTime(stored.certificate, 0) > Date.now();
      return isPresent ? stored : this.#renew(session);
    });
  }

  /** Renews it when it is due, until the session ends. */
  async whileManager(session: OpenSession): Promise<void> {
    const { signal } = session;
    const wait = (milliseconds: number) =>
      delay(Math.min(milliseconds, longestWait), undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    let renewAt: number | undefined;
    while (!signal.aborted) {
      try {
        const isDue = renewAt !== undefined && renewAt <= Date.now();
        const { certificate } = isDue ? await this.#mutex.run(() => this.#renew(session)) : await this.present(session);
        if (isDue || renewAt === undefined) renewAt = renewalTime(certificate);
        await wait(Math.max(0, renewAt - Date.now()));
      } catch (err) {
        if (signal.aborted) return;
        this.log.error({ event: 'swarm.certificate-not-renewed', err }, 'failed to renew the certificate; retrying');
        await wait(retryDelay);
      }
    }
  }

  async #renew(session: OpenSession): Promise<OwnIdentity> {
    const { key, request } = await this.certificates.createRequest();
    const issued = await this.certificates.issue(session, { nodeId: session.nodeId, role: 'manager', request });
    const identity = { ...issued, key };
    await this.file.write(identity);
    return identity;
  }
}
