import certificateAuthority from '@gantry/certificate-authority-local';
import { openDriver } from '@gantry/conformance';
import { type NodeIdentity, roleUnits } from '@gantry/lib-cluster-protocol';
import type { ExecutionContext } from 'ava';

/** Makes identities of managers, of one root. */
export async function identitiesOf(t: ExecutionContext): Promise<() => Promise<NodeIdentity>> {
  const { driver, release } = await openDriver(certificateAuthority);
  t.teardown(release);
  const period = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const root = await driver.createRoot({ commonName: 'swarm-ca', ...period });
  return async () => {
    const { key, request } = await driver.createRequest();
    const certificate = await driver.issue(request, {
      issuer: { type: 'root', root },
      subject: { commonName: 'manager1', organizationalUnit: roleUnits.manager, organization: 'swarm1' },
      names: [roleUnits.manager],
      ...period,
    });
    return { certificate, key, trust: root.certificate };
  };
}
