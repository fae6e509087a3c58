import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { until } from '@gantry/conformance';
import type { NetworkSpec } from '@gantry/core/contracts';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';
import { kernelSockets } from '@gantry/lib-linux/sockets';
import test from 'ava';
import { type Container, Engine, tcp, udp } from './testing/engine.js';
import { askTcp, inside, listenTcp, listenUdp, trafficTimeout } from './testing/traffic.js';
import { enterWorld, host, outside } from './testing/world.js';

const world = enterWorld();
test.after.always(() => world.end());

let port = 9000;

/** A container that publishes a port, and a way to ask it. */
async function publishing(t: import('ava').ExecutionContext, config: Record<string, unknown> = {}) {
  const engine = await Engine.start(t, config);
  const network = await engine.network();
  const hostPort = ++port;
  const web = await engine.container(network, { ports: [tcp(80, hostPort)] });
  t.teardown(await listenTcp(web.path, 80, 'web'));
  const ask = () => askTcp(world.outside, host.ipv4, hostPort);
  t.is(await ask(), `web ${outside.ipv4}`);
  return { engine, network, web, ask, hostPort };
}

const veths = (network: NetworkSpec) =>
  kernelNetlink.use(undefined, (socket) =>
    socket.links().filter(({ alias }) => alias?.includes(` endpoint ${network.id}`)),
  );

const bridgeOf = ({ id }: NetworkSpec): string => `br-${id.slice(0, 12)}`;

for (const vandalism of [
  'flush table inet TABLE',
  'delete table inet TABLE',
  'flush ruleset',
  'flush chain inet TABLE leaving',
  'flush map inet TABLE publish4',
  'delete element inet TABLE publish4 { tcp . PORT }',
]) {
  test.serial(`rules are back within two seconds of "${vandalism}"`, async (t) => {
    const { engine, ask, hostPort } = await publishing(t, { checkSeconds: 1 });
    await inside(undefined, 'nft', vandalism.replace('TABLE', engine.table).replace('PORT', `${hostPort}`));
    await until('the rules are back', async () => (await ask()) === `web ${outside.ipv4}`, 2000);
    t.pass();
  });
}

test.serial('while the rules are away a published port is served by the socket that holds it', async (t) => {
  const { engine, ask, web } = await publishing(t, { checkSeconds: 60 });
  await inside(undefined, 'nft', `delete table inet ${engine.table}`);
  t.is(await ask(), `web ${web.joined.gateway}`);
});

test.serial('a change that finds the table gone puts it back whole', async (t) => {
  const { engine, network, ask } = await publishing(t, { checkSeconds: 60 });
  await inside(undefined, 'nft', `delete table inet ${engine.table}`);
  await engine.container(network, { ports: [tcp(80, ++port)] });
  t.is(await ask(), `web ${outside.ipv4}`);
});

test.serial('forwarding is switched on again', async (t) => {
  const { ask } = await publishing(t);
  kernelSysctl.write('net/ipv4/ip_forward', 0);
  await until('forwarding is on', async () => (await ask()) === `web ${outside.ipv4}`, 2000);
  t.pass();
});

test.serial('forwarding is left alone when the configuration says so', async (t) => {
  kernelSysctl.write('net/ipv4/ip_forward', 0);
  const engine = await Engine.start(t, { ipForward: false });
  await engine.network();
  t.is(kernelSysctl.read('net/ipv4/ip_forward'), '0');
});

test.serial('a deleted bridge is made again, with its containers on it', async (t) => {
  const { network, ask } = await publishing(t);
  await inside(undefined, 'ip', 'link', 'del', bridgeOf(network));
  await until('the bridge is back', async () => (await ask()) === `web ${outside.ipv4}`, 3000);
  t.pass();
});

test.serial('after a restart of the daemon everything goes on', async (t) => {
  const { engine, network, web, ask, hostPort } = await publishing(t);
  const [before] = veths(network);
  const after = await engine.restart();
  t.is(await ask(), `web ${outside.ipv4}`, 'also before restore');
  await after.driver.restore([network], [web]);
  t.is(await ask(), `web ${outside.ipv4}`);
  t.is(await askTcp(undefined, '::1', hostPort), `web ${web.joined.gateway}`);
  t.is(veths(network)[0]?.index, before?.index, 'the links are the same ones');
});

test.serial('a port that another program took meanwhile is left to it, and taken back when it is free', async (t) => {
  const { engine, network, web, ask, hostPort } = await publishing(t, { checkSeconds: 1 });
  const after = await engine.restart();
  const taken = ['0.0.0.0', '::'].map((address) => kernelSockets.listenTcp({ address, port: hostPort }).fd);
  await after.driver.restore([network], [web]);
  const rules = () => inside(undefined, 'nft', `list map inet ${engine.table} publish4`);
  t.false((await rules()).includes(`${hostPort}`));
  for (const fd of taken) closeSync(fd);
  await until('the port is back', async () => (await ask()) === `web ${outside.ipv4}`, 5000);
  t.true((await rules()).includes(`${hostPort}`));
});

test.serial('after a restart missing links are created and orphans are removed', async (t) => {
  const { engine, network, web, ask } = await publishing(t);
  const forgotten = await engine.network();
  await engine.container(forgotten);
  const stray = await engine.container(network);
  t.is(veths(network).length, 2);
  const after = await engine.restart();
  for (const { name } of veths(network)) await inside(undefined, 'ip', 'link', 'del', name);
  await inside(undefined, 'ip', 'link', 'del', bridgeOf(network));
  await inside(undefined, 'nft', `delete table inet ${engine.table}`);
  await after.driver.restore([network], [web]);
  t.is(await ask(), `web ${outside.ipv4}`);
  t.is(veths(network).length, 1);
  t.is(veths(forgotten).length, 0);
  t.is(
    kernelNetlink.use(undefined, (socket) => socket.link(bridgeOf(forgotten))),
    undefined,
  );
  t.is((await macOf(web)).trim(), web.joined.macAddress);
  await t.throwsAsync(inside(stray.path, 'ip', 'link', 'show', 'eth0'), { message: /does not exist/ });
});

test.serial('packets of a client that never stops reach the container that publishes the port now', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const hostPort = ++port;
  const client = createSocket('udp4');
  t.teardown(() => client.close());
  client.bind({ fd: kernelSockets.bindUdp({ address: '0.0.0.0', port: 0, namespace: world.outside }).fd });
  const ask = async (): Promise<string> => {
    client.send('?', hostPort, host.ipv4);
    const answer = once(client, 'message', { signal: AbortSignal.timeout(trafficTimeout()) });
    return answer.then(([packet]) => String(packet)).catch(() => 'no answer');
  };
  t.is(await ask(), 'no answer');
  for (const word of ['first', 'second']) {
    const container = await engine.container(network, { ports: [udp(53, hostPort)] });
    const end = listenUdp(container.path, 53, word);
    t.is(await ask(), `${word} ${outside.ipv4}`);
    await engine.driver.leave(network.id, container.request.endpointId);
    end();
    t.is(await ask(), 'no answer');
  }
});

test.serial('links of other engines on the host are not orphans', async (t) => {
  const { ask } = await publishing(t);
  const other = await Engine.start(t);
  await other.driver.restore([], []);
  t.is(await ask(), `web ${outside.ipv4}`);
});

test.serial('a port that another program bound while the daemon was down is lost, and the others work', async (t) => {
  const { engine, network, web, hostPort } = await publishing(t);
  const after = await engine.restart();
  t.teardown(await listenTcp(undefined, hostPort, 'other'));
  await after.driver.restore([network], [web]);
  t.regex((await askTcp(undefined, web.ipv4, 80)) ?? '', /^web/);
  await after.driver.leave(network.id, web.request.endpointId);
  t.regex((await askTcp(world.outside, host.ipv4, hostPort)) ?? '', /^other/);
});

const macOf = ({ path }: Container): Promise<string> =>
  inside(path, 'sh', '-c', `ip link show eth0 | sed -n 's/.*ether \\([^ ]*\\).*/\\1/p'`);
