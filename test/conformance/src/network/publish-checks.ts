import { rejects } from '../expectations.js';
import { freePort, type Joined, tcpPort } from './network-stage.js';
import type { StagedSuite } from './staged-suite.js';

const addressesOf = ({ joined }: Joined): string[] => joined.ports.map(({ hostIp }) => hostIp);
const portsOf = ({ joined }: Joined): number[] => joined.ports.map(({ hostPort }) => hostPort);

/** For drivers that can publish. */
export function publishChecks(suite: StagedSuite): void {
  suite.check('a published port is reported for each address family it is published on', async (t, stage) => {
    const port = freePort();
    const endpoint = await stage.join(await stage.network(), { ports: [tcpPort(port, { containerPort: 8080 })] });
    t.is(addressesOf(endpoint)[0], '0.0.0.0');
    t.true(endpoint.joined.ports.length <= 2);
    for (const published of endpoint.joined.ports) {
      t.true(['0.0.0.0', '::'].includes(published.hostIp));
      t.is(published.hostPort, port);
      t.is(published.containerPort, 8080);
      t.is(published.protocol, 'tcp');
    }
  });

  suite.check('a port published at one address is published at that one', async (t, stage) => {
    const port = freePort();
    const ports = [tcpPort(port, { hostIp: '127.0.0.1' })];
    t.deepEqual(addressesOf(await stage.join(await stage.network(), { ports })), ['127.0.0.1']);
  });

  suite.check('an endpoint that joins again with other ports has those', async (t, stage) => {
    const network = await stage.network();
    const ports = [tcpPort(freePort())];
    const { request, joined } = await stage.join(network);
    const published = await stage.driver.join({ ...request, ports });
    t.is(published.ports[0]?.hostPort, ports[0]?.hostPort);
    t.is(published.macAddress, joined.macAddress);
    t.deepEqual(await stage.driver.join({ ...request, ports }), published);
    t.deepEqual((await stage.driver.join(request)).ports, []);
    await stage.join(network, { ports });
  });

  suite.check('TCP and UDP have ports of their own', async (t, stage) => {
    const port = freePort();
    const endpoint = await stage.join(await stage.network(), {
      ports: [tcpPort(port), tcpPort(port, { protocol: 'udp' })],
    });
    t.deepEqual(new Set(endpoint.joined.ports.map(({ protocol }) => protocol)), new Set(['tcp', 'udp']));
    t.true(portsOf(endpoint).every((each) => each === port));
  });

  suite.check('port 0 is a port of the driver’s choice, another one each time', async (t, stage) => {
    const network = await stage.network();
    const one = await stage.join(network, { ports: [tcpPort(0), tcpPort(0)] });
    const other = await stage.join(network, { ports: [tcpPort(0)] });
    const all = new Set([...portsOf(one), ...portsOf(other)]);
    t.is(all.size, 3);
    for (const port of all) t.true(port >= 1024 && port <= 65535);
  });

  suite.check('of a range the first free port is published', async (t, stage) => {
    const network = await stage.network();
    const [first, last] = [freePort(), freePort()];
    const range = tcpPort(first, { hostPortEnd: last });
    const one = await stage.join(network, { ports: [range] });
    const other = await stage.join(network, { ports: [range] });
    t.is(portsOf(one)[0], first);
    t.true((portsOf(other)[0] ?? 0) > first);
  });

  suite.check('a taken port is a conflict that names it, and nothing was done', async (t, stage) => {
    const network = await stage.network();
    const [taken, free] = [freePort(), freePort()];
    await stage.join(network, { ports: [tcpPort(taken)] });
    const request = await stage.newRequest(network, { ports: [tcpPort(free), tcpPort(taken)] });
    const message = new RegExp(`^Bind for 0\\.0\\.0\\.0:${taken} failed: port is already allocated$`);
    await rejects(t, stage.driver.join(request), 'conflict', message);
    const other = await stage.network();
    await stage.join(other, { ports: [tcpPort(free)] });
    await rejects(t, stage.driver.join({ ...request, networkId: other.id }), 'conflict', /port is already allocated$/);
    await stage.join(network, { sandbox: request.sandbox, endpointId: request.endpointId });
  });

  suite.check('leaving frees the ports', async (t, stage) => {
    const network = await stage.network();
    const ports = [tcpPort(freePort())];
    await stage.leave(await stage.join(network, { ports }));
    const again = await stage.join(network, { ports });
    t.deepEqual(portsOf(again)[0], ports[0]?.hostPort);
  });

  suite.check('an internal network publishes nothing', async (t, stage) => {
    const network = await stage.network({ internal: true });
    t.deepEqual((await stage.join(network, { ports: [tcpPort(freePort())] })).joined.ports, []);
  });

  suite.check('after a restart published ports are still taken, and free again once left', async (t, stage) => {
    const network = await stage.network();
    const ports = [tcpPort(freePort())];
    const endpoint = await stage.join(network, { ports });
    await stage.reopen();
    await stage.restore();
    const request = await stage.newRequest(network, { ports });
    await rejects(t, stage.driver.join(request), 'conflict', /port is already allocated$/);
    await stage.leave(endpoint);
    await stage.join(network, { ports });
  });

  suite.check('after a restart ports of endpoints that are not to exist are free', async (t, stage) => {
    const network = await stage.network();
    const ports = [tcpPort(freePort())];
    const endpoint = await stage.join(network, { ports });
    await stage.reopen();
    await stage.restore([]);
    stage.endpoints.delete(endpoint.request.endpointId);
    await stage.join(network, { ports });
    t.pass();
  });
}
