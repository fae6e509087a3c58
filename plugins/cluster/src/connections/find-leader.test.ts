import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import certificateAuthority from '@gantry/certificate-authority-local';
import { openDriver } from '@gantry/conformance';
import { silentLogger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { type NodeIdentity, NodeListener, roleUnits } from '@gantry/lib-cluster-protocol';
import test, { type ExecutionContext } from 'ava';
import { managersPath } from '../messages/manager-messages.js';
import { findLeader } from './find-leader.js';

async function newIdentity(t: ExecutionContext): Promise<NodeIdentity> {
  const { driver, release } = await openDriver(certificateAuthority);
  t.teardown(release);
  const period = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const root = await driver.createRoot({ commonName: 'swarm-ca', ...period });
  const { key, request } = await driver.createRequest();
  const certificate = await driver.issue(request, {
    issuer: { type: 'root', root },
    subject: { commonName: 'manager1', organizationalUnit: roleUnits.manager, organization: 'swarm1' },
    names: [roleUnits.manager],
    ...period,
  });
  return { certificate, key, trust: root.certificate };
}

/** A manager that does not lead, and knows no others. */
async function startFollower(t: ExecutionContext, identity: NodeIdentity): Promise<string> {
  const listener = await NodeListener.open({
    ...{ host: '127.0.0.1', port: 0, identity, log: silentLogger },
    routes: new Map([[managersPath, { type: 'call', access: 'nodes', answer: async () => [] }]]),
  });
  t.teardown(() => listener.close());
  return `127.0.0.1:${listener.port}`;
}

/** Accepts connections and says nothing, as a host does whose engine hangs. */
async function startSilent(t: ExecutionContext): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a manager that says nothing is not waited for once another one has answered', async (t) => {
  const identity = await newIdentity(t);
  const search = findLeader({
    addresses: [await startSilent(t), await startFollower(t, identity)],
    identity,
    signal: new AbortController().signal,
    begin: () => Promise.reject(unavailable('this manager does not lead')),
    onManagers: () => undefined,
  });
  await t.throwsAsync(search, { message: 'the other managers did not answer in time' });
});
