import { openDriver, rejects } from '@gantry/conformance';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';
import test, { type ExecutionContext } from 'ava';
import driver from './index.js';
import { Engine, tcp, udp } from './testing/engine.js';
import { askTcp, askUdp, inside, listenTcp, listenUdp } from './testing/traffic.js';
import { enterWorld, host, outside } from './testing/world.js';

const world = enterWorld();
test.after.always(() => world.end());

const link = (name: string) => kernelNetlink.use(undefined, (socket) => socket.link(name));

test('a container has its interface, addresses and route', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const { path, ipv4, joined } = await engine.container(network);
  t.is(
    joined.macAddress,
    `02:42:${ipv4
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join(':')}`,
  );
  const shown = await inside(path, 'ip', '-o', 'addr', 'show', 'dev', 'eth0');
  t.regex(shown, new RegExp(`inet ${ipv4}/24 brd ${ipv4.replace(/\d+$/, '255')} scope global eth0`));
  t.notRegex(shown, /inet6/);
  t.regex(await inside(path, 'ip', 'link', 'show', 'eth0'), new RegExp(`,UP,.*ether ${joined.macAddress} `, 's'));
  t.regex(await inside(path, 'ip', 'route'), new RegExp(`^default via ${joined.gateway} dev eth0`));
});

test('bridges are named after their network, their option, or the configuration', async (t) => {
  const engine = await Engine.start(t, { defaultBridge: 'gantry7' });
  const plain = await engine.network();
  t.is(link(`br-${plain.id.slice(0, 12)}`)?.kind, 'bridge');
  const named = await engine.network({ options: { 'com.docker.network.bridge.name': 'mine7' } });
  t.is(link('mine7')?.kind, 'bridge');
  const preset = await engine.network({ options: { 'com.docker.network.bridge.default_bridge': 'true' } });
  t.is(link('gantry7')?.kind, 'bridge');
  await rejects(
    t,
    engine.network({ options: { 'gantry.bridge.name': 'mine7' } }),
    'forbidden',
    new RegExp(`conflicts with network ${named.id} \\(mine7\\): networks have same bridge name`),
  );
  for (const { id } of [plain, named, preset]) await engine.driver.removeNetwork(id);
  for (const name of [`br-${plain.id.slice(0, 12)}`, 'mine7', 'gantry7']) t.is(link(name), undefined, name);
});

test('a bridge that existed before is used and kept', async (t) => {
  await inside(undefined, 'ip', 'link', 'add', 'theirs', 'type', 'bridge');
  await inside(undefined, 'ip', 'addr', 'add', '10.77.0.1/24', 'dev', 'theirs');
  const engine = await Engine.start(t);
  const network = await engine.network({ options: { 'gantry.bridge.name': 'theirs' } });
  const container = await engine.container(network);
  t.teardown(await listenTcp(container.path, 80, 'there'));
  t.regex((await askTcp(undefined, container.ipv4, 80)) ?? '', /^there/);
  await engine.driver.leave(network.id, container.request.endpointId);
  await engine.driver.removeNetwork(network.id);
  t.is(link('theirs')?.kind, 'bridge');
  t.regex(await inside(undefined, 'ip', 'addr', 'show', 'theirs'), /10\.77\.0\.1\/24/);
});

const asDefault = { options: { 'com.docker.network.bridge.default_bridge': 'true' } };

async function bridge(t: ExecutionContext, name: string, ...addresses: readonly string[]): Promise<void> {
  await inside(undefined, 'ip', 'link', 'add', name, 'type', 'bridge');
  t.teardown(() => inside(undefined, 'ip', 'link', 'delete', name));
  for (const address of addresses) await inside(undefined, 'ip', 'addr', 'add', address, 'dev', name);
}

test('a bridge with other addresses is not taken for the default one, and the keys to change are named', async (t) => {
  await bridge(t, 'beside0', '10.78.0.1/24');
  const engine = await Engine.start(t, { defaultBridge: 'beside0' });
  const expected =
    /beside0 exists with the address 10\.78\.0\.1\/24, outside .*\["network\/bridge"\]\.defaultBridge .*\["networks"\]\.bridgeSubnet/;
  await rejects(t, engine.network(asDefault), 'forbidden', expected);
  const shown = await inside(undefined, 'ip', '-o', '-4', 'addr', 'show', 'dev', 'beside0');
  t.is(shown.trim().split('\n').length, 1, shown);
});

test('a bridge without addresses is used for the default network', async (t) => {
  await bridge(t, 'beside1');
  const engine = await Engine.start(t, { defaultBridge: 'beside1' });
  const network = await engine.network(asDefault);
  const container = await engine.container(network);
  t.regex(await inside(container.path, 'ip', 'route'), /^default via /);
});

test('the default bridge of another engine is refused, and the keys to change are named', async (t) => {
  const first = await Engine.start(t, { defaultBridge: 'beside2' });
  const network = await first.network(asDefault);
  const second = await Engine.start(t, { defaultBridge: 'beside2' });
  const another = /beside2 belongs to another engine; set config\.drivers\["network\/bridge"\]\.defaultBridge/;
  await rejects(t, second.network(asDefault), 'forbidden', another);
  t.is(link('beside2')?.kind, 'bridge');
  await first.driver.removeNetwork(network.id);
});

test('a bridge that a stopped engine with the same table left is refused, and the keys to change are named', async (t) => {
  await bridge(t, 'beside5');
  const engine = await Engine.start(t, { defaultBridge: 'beside5' });
  const other = 'e'.repeat(64);
  await inside(undefined, 'ip', 'link', 'set', 'beside5', 'alias', `${engine.table} network ${other}`);
  const sameTable = new RegExp(`belongs to network ${other} .*defaultBridge and config.*\\.table`);
  await rejects(t, engine.network(asDefault), 'forbidden', sameTable);
});

test('a second engine with the table of one that runs does not start, and the first keeps its links', async (t) => {
  const first = await Engine.start(t);
  const network = await first.network();
  const container = await first.container(network);
  const second = openDriver(driver, { config: { table: first.table, defaultBridge: 'beside6' } });
  const expected = new RegExp(`uses the table "${first.table}"; set config\\.drivers\\["network/bridge"\\]\\.table`);
  await rejects(t, second, 'conflict', expected);
  t.regex(
    await inside(container.path, 'ip', '-o', 'addr', 'show', 'dev', 'eth0'),
    new RegExp(`inet ${container.ipv4}/`),
  );
});

test('the table of an engine that has stopped is free', async (t) => {
  const config = { table: `freed_${process.pid}` };
  const first = await openDriver(driver, { config });
  await rejects(t, openDriver(driver, { config }), 'conflict');
  await first.release();
  const second = await openDriver(driver, { config });
  await t.notThrowsAsync(second.release());
});

test('a default network on the subnet of another bridge is refused, and the key to change is named', async (t) => {
  const engine = await Engine.start(t, { defaultBridge: 'beside3' });
  const spec = await engine.network();
  await engine.driver.removeNetwork(spec.id);
  await bridge(t, 'beside4', spec.pools[0]?.gateway ?? '');
  const expected =
    /overlaps 10\.100\.\d+\.1\/24 of the bridge beside4; set config\.plugins\["networks"\]\.bridgeSubnet/;
  await rejects(t, engine.driver.createNetwork({ ...spec, ...asDefault }), 'forbidden', expected);
  t.is(link('beside3'), undefined);
});

test('an interface that is no bridge cannot be a network', async (t) => {
  const engine = await Engine.start(t);
  const promise = engine.network({ options: { 'gantry.bridge.name': 'up0' } });
  await rejects(t, promise, 'forbidden', /up0 is not a bridge/);
  t.is(link('up0')?.kind, 'veth');
});

test('networks with overlapping subnets are refused', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const other = { ...network, id: 'f'.repeat(64) };
  await rejects(t, engine.driver.createNetwork(other), 'forbidden', /networks have overlapping IPv4/);
});

test('the MTU and the names of interfaces follow the options', async (t) => {
  const engine = await Engine.start(t);
  const options = { 'com.docker.network.driver.mtu': '1400', 'com.docker.network.container_iface_prefix': 'net' };
  const network = await engine.network({ options });
  const container = await engine.container(network, { interfaceName: 'eth3' });
  t.regex(await inside(container.path, 'ip', 'link', 'show', 'net3'), /mtu 1400/);
  t.is(link(`br-${network.id.slice(0, 12)}`)?.mtu, 1400);
});

test('an interface keeps the name that a client chose, and gets its kernel settings', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ options: { 'com.docker.network.container_iface_prefix': 'net' } });
  const sysctls = [{ name: 'net.ipv4.conf.IFNAME.log_martians', value: '1' }];
  const { path } = await engine.container(network, { interfaceName: 'up0.5', hasChosenName: true, sysctls });
  t.is((await inside(path, 'cat', '/proc/sys/net/ipv4/conf/up0.5/log_martians')).trim(), '1');
  t.is((await inside(path, 'cat', '/proc/sys/net/ipv4/conf/lo/log_martians')).trim(), '0');
  const wrong = { sysctls: [{ name: 'net.ipv4.conf.IFNAME.nosuch', value: '1' }] };
  const refused = await engine.request(network, wrong);
  await t.throwsAsync(engine.driver.join(refused), { message: /net\/ipv4\/conf\/net0\/nosuch/ });
  t.is(await inside(refused.sandbox.path, 'ip', '-br', 'link', 'show', 'type', 'veth'), '');
});

test.serial('packets fit through a way out that is narrower than usual', async (t) => {
  await inside(undefined, 'ip', 'link', 'set', 'up0', 'mtu', '1420');
  t.teardown(() => inside(undefined, 'ip', 'link', 'set', 'up0', 'mtu', '1500'));
  const engine = await Engine.start(t);
  const container = await engine.container(await engine.network());
  t.regex(await inside(container.path, 'ip', 'link', 'show', 'eth0'), /mtu 1420/);
});

test('another network can become the way out while the container runs', async (t) => {
  const engine = await Engine.start(t);
  const [one, two] = [await engine.network(), await engine.network()];
  const first = await engine.container(one, {}, 'both');
  const wishes = { interfaceName: 'eth1', defaultRoute: false };
  const second = await engine.container(two, wishes, 'both');
  const route = () => inside(first.path, 'ip', 'route', 'show', 'default');
  t.regex(await route(), new RegExp(`via ${first.joined.gateway} dev eth0`));
  t.deepEqual(await engine.driver.join({ ...second.request, defaultRoute: true }), second.joined);
  t.regex(await route(), new RegExp(`via ${second.joined.gateway} dev eth1`));
  await engine.driver.join({ ...first.request, defaultRoute: false });
  t.regex(await route(), new RegExp(`via ${second.joined.gateway} dev eth1`));
  await engine.driver.join({ ...second.request, defaultRoute: false });
  t.is(await route(), '');
});

test('each family can have its way out through another network', async (t) => {
  const engine = await Engine.start(t);
  const networks = [await engine.network({ subnet6: 'fd77:3::/64' }), await engine.network({ subnet6: 'fd77:4::/64' })];
  const [one, two] = networks as [(typeof networks)[0], (typeof networks)[0]];
  const first = await engine.container(one, {}, 'families');
  const second = await engine.container(two, { interfaceName: 'eth1', defaultRoute: false }, 'families');
  const ways = async () => {
    const routes = [];
    for (const family of ['-4', '-6']) routes.push(await inside(first.path, 'ip', family, 'route', 'show', 'default'));
    return routes.map((text) => /dev (\S+)/.exec(text)?.[1] ?? '');
  };
  t.deepEqual(await ways(), ['eth0', 'eth0']);
  await engine.driver.join({ ...second.request, defaultRoute: 'ipv6' });
  await engine.driver.join({ ...first.request, defaultRoute: 'ipv4' });
  t.deepEqual(await ways(), ['eth0', 'eth1']);
  await engine.driver.join({ ...first.request, defaultRoute: true });
  await engine.driver.join({ ...second.request, defaultRoute: false });
  t.deepEqual(await ways(), ['eth0', 'eth0']);
  await engine.driver.join({ ...second.request, defaultRoute: true });
  await engine.driver.join({ ...first.request, defaultRoute: false });
  t.deepEqual(await ways(), ['eth1', 'eth1']);
});

test('IPv6 networks reach the world, and are reached where they publish', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ subnet6: 'fd77:1::/64' });
  const web = await engine.container(network, { ports: [tcp(80, 8200), udp(53, 8200), tcp(81, 8201, host.ipv6)] });
  const neighbour = await engine.container(network);
  t.is(web.joined.ipv6Gateway, 'fd77:1::1');
  for (const port of [80, 81]) t.teardown(await listenTcp(web.path, port, 'web', '::'));
  t.teardown(await listenTcp(web.path, 80, 'web'));
  t.teardown(listenUdp(web.path, 53, 'dns', '::'));
  t.teardown(await listenTcp(world.outside, 7200, 'outside', '::'));
  t.is(await askTcp(web.path, outside.ipv6, 7200), `outside ${host.ipv6}`, 'hidden behind the host');
  t.is(await askTcp(neighbour.path, web.ipv6, 80), `web ${neighbour.ipv6}`);
  t.is(await askTcp(world.outside, web.ipv6, 80), undefined, 'not by its own address');
  t.is(await askTcp(world.outside, host.ipv6, 8200), `web ${outside.ipv6}`, 'the client address is preserved');
  t.is(await askUdp(world.outside, host.ipv6, 8200), `dns ${outside.ipv6}`);
  t.is(await askTcp(world.outside, host.ipv6, 8201), `web ${outside.ipv6}`);
  t.is(await askTcp(world.outside, host.ipv4, 8200), `web ${outside.ipv4}`);
  t.is(await askTcp(world.outside, host.ipv4, 8201), undefined);
  t.is(await askTcp(undefined, host.ipv6, 8200), `web ${host.ipv6}`);
  t.is(await askTcp(undefined, '::1', 8200), `web fd77:1::1`);
  t.is(await askUdp(undefined, '::1', 8200), `dns fd77:1::1`);
  t.is(await askTcp(neighbour.path, host.ipv6, 8200), `web fd77:1::1`);
  t.is(await askTcp(web.path, host.ipv6, 8200), `web fd77:1::1`);
});

test.serial('a host that forwards IPv6 goes on listening to its routers', async (t) => {
  kernelSysctl.write('net/ipv6/conf/all/forwarding', 0);
  kernelSysctl.write('net/ipv6/conf/up0/accept_ra', 1);
  const engine = await Engine.start(t);
  await engine.network({ subnet6: 'fd77:2::/64' });
  t.is(kernelSysctl.read('net/ipv6/conf/all/forwarding'), '1');
  t.is(kernelSysctl.read('net/ipv6/conf/up0/accept_ra'), '2');
});

test('a failed join leaves no link, no rule and no port', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const taken = await engine.container(network, {}, 'full');
  const names = () => kernelNetlink.use(undefined, (socket) => socket.links().map(({ name }) => name));
  const before = names();
  const request = await engine.request(network, { ports: [tcp(80, 8300)] }, 'full');
  await rejects(t, engine.driver.join(request), 'conflict', /sandbox .* has an interface eth0/);
  const bad = await engine.request(network, { ports: [tcp(80, 8300)], ipv4: '10.1.2.3/33' });
  await rejects(t, engine.driver.join(bad), 'invalid-argument', /10\.1\.2\.3\/33/);
  t.deepEqual(names(), before);
  t.notRegex(await inside(undefined, 'nft', 'list', 'map', 'inet', engine.table, 'publish4'), /8300/);
  await engine.container(network, { ports: [tcp(80, 8300)] });
  t.is(taken.joined.ports.length, 0);
});

test.serial('1,000 ports are published in less than half a second of work', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const ports = Array.from({ length: 1000 }, (_, index) => tcp(1 + index, 10_000 + index));
  const request = await engine.request(network, { ports });
  const before = process.cpuUsage();
  const { ports: published } = await engine.driver.join(request);
  const { user, system } = process.cpuUsage(before);
  t.is(published.length, 2000);
  t.true(user + system < 500_000, `${(user + system) / 1000} ms`);
  t.teardown(await listenTcp(request.sandbox.path, 1000, 'last'));
  t.is(await askTcp(world.outside, host.ipv4, 10_999), `last ${outside.ipv4}`);
  await engine.driver.leave(network.id, request.endpointId);
});
