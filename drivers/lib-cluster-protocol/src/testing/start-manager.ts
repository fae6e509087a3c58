import local from '@gantry/certificate-authority-local';
import type { CertificateAuthorityDriver } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import type { ExecutionContext } from 'ava';
import type { NodeIdentity } from '../identity/node-identity.js';
import { type NodeRole, roleUnits } from '../identity/peer.js';
import { NodeListener } from '../server/node-listener.js';
import type { NodeRoute } from '../server/node-route.js';

const hour = 3600 * 1000;
const at = (offset: number): Date => new Date(Date.now() + offset);
const authority = new ((await local.create({} as never)) as unknown as new () => CertificateAuthorityDriver)();

export const newRoot = () => authority.createRoot({ commonName: 'swarm-ca', notBefore: at(-hour), notAfter: at(hour) });

/** Of the managers that are started here, and their nodes. */
export const root = await newRoot();

export async function identityOf(
  role: NodeRole,
  { by = root, expired = false, validFor = hour } = {},
): Promise<NodeIdentity> {
  const { key, request } = await authority.createRequest();
  const certificate = await authority.issue(request, {
    issuer: { type: 'root', root: by },
    subject: { commonName: `${role}1`, organizationalUnit: roleUnits[role], organization: 'swarm1' },
    names: [roleUnits[role]],
    notBefore: at(-hour),
    notAfter: at(expired ? -60_000 : validFor),
  });
  return { certificate, key, trust: root.certificate };
}

export const manager = await identityOf('manager');

/** Serves routes until the test ends. Resolves to the address. */
export async function listen(
  t: ExecutionContext,
  routes: Readonly<Record<string, NodeRoute>>,
  identity = manager,
  host = '127.0.0.1',
): Promise<string> {
  const listener = await NodeListener.open({
    host,
    port: 0,
    identity,
    routes: new Map(Object.entries(routes)),
    log: silentLogger,
  });
  t.teardown(() => listener.close());
  return `${host}:${listener.port}`;
}
