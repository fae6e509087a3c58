import { kernelSysctl } from '@gantry/lib-linux/netlink';
import test from 'ava';
import { Engine, tcp, udp } from './testing/engine.js';
import { askTcp, askUdp, inside, listenTcp, listenUdp } from './testing/traffic.js';
import { enterWorld, host, outside } from './testing/world.js';

const world = enterWorld();
test.after.always(() => world.end());

test('a container reaches the world with an address of the host, and the world does not reach it', async (t) => {
  const engine = await Engine.start(t);
  const container = await engine.container(await engine.network());
  t.teardown(await listenTcp(world.outside, 7001, 'outside'));
  t.teardown(await listenTcp(container.path, 80, 'container'));
  t.is(await askTcp(container.path, outside.ipv4, 7001), `outside ${host.ipv4}`);
  t.is(await askTcp(world.outside, container.ipv4, 80), undefined);
  t.regex((await askTcp(undefined, container.ipv4, 80)) ?? '', /^container 10\.100\.\d+\.1$/);
});

for (const bridgedFiltering of ['0', '1']) {
  test.serial(
    `a published port is reached from everywhere, with bridge-nf-call-iptables ${bridgedFiltering}`,
    async (t) => {
      const setting = 'net/bridge/bridge-nf-call-iptables';
      if (kernelSysctl.read(setting) !== undefined) kernelSysctl.write(setting, bridgedFiltering);
      const engine = await Engine.start(t);
      const network = await engine.network();
      const web = await engine.container(network, { ports: [tcp(80, 8080), udp(53, 8053)] });
      const neighbour = await engine.container(network);
      const foreign = await engine.container(await engine.network());
      t.teardown(await listenTcp(web.path, 80, 'web'));
      t.teardown(listenUdp(web.path, 53, 'dns'));
      t.deepEqual(
        web.joined.ports.map(({ hostIp, hostPort, containerPort, protocol }) => [
          hostIp,
          hostPort,
          containerPort,
          protocol,
        ]),
        [
          ['0.0.0.0', 8080, 80, 'tcp'],
          ['::', 8080, 80, 'tcp'],
          ['0.0.0.0', 8053, 53, 'udp'],
          ['::', 8053, 53, 'udp'],
        ],
      );
      const gateway = web.joined.gateway ?? '';
      const ways = {
        'the world, by the host': [world.outside, host.ipv4, outside.ipv4],
        'the world, by IPv6': [world.outside, host.ipv6, gateway],
        'the host, by its address': [undefined, host.ipv4, host.ipv4],
        'the host, by loopback': [undefined, '127.0.0.1', gateway],
        'the host, by IPv6 loopback': [undefined, '::1', gateway],
        'the host, by the gateway': [undefined, gateway, gateway],
        'a container of the network, by the host': [neighbour.path, host.ipv4, gateway],
        'a container of the network, by the gateway': [neighbour.path, gateway, gateway],
        'a container of another network, by the host': [foreign.path, host.ipv4, gateway],
        'a container of another network, by its gateway': [foreign.path, foreign.joined.gateway ?? '', gateway],
        'itself, by the host': [web.path, host.ipv4, gateway],
        'itself, by the gateway': [web.path, gateway, gateway],
      } as const;
      for (const [who, [place, address, seen]] of Object.entries(ways)) {
        t.is(await askTcp(place, address, 8080), `web ${seen}`, who);
        t.is(await askUdp(place, address, 8053), `dns ${seen}`, who);
      }
    },
  );
}

test('a port published at 127.0.0.1 is for the host alone', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const web = await engine.container(network, { ports: [tcp(80, 8081, '127.0.0.1'), udp(53, 8081, '127.0.0.1')] });
  const neighbour = await engine.container(network);
  t.teardown(await listenTcp(web.path, 80, 'web'));
  t.teardown(listenUdp(web.path, 53, 'dns'));
  t.teardown(await listenTcp(undefined, 8082, 'host only', '127.0.0.1'));
  t.deepEqual(
    web.joined.ports.map(({ hostIp }) => hostIp),
    ['127.0.0.1', '127.0.0.1'],
  );
  t.is(await askTcp(undefined, '127.0.0.1', 8081), `web ${web.joined.gateway}`);
  t.is(await askUdp(undefined, '127.0.0.1', 8081), `dns ${web.joined.gateway}`);
  t.is(await askTcp(undefined, host.ipv4, 8081), undefined);
  t.is(await askTcp(undefined, '::1', 8081), undefined);
  for (const place of [world.outside, neighbour.path]) {
    for (const address of [host.ipv4, web.joined.gateway ?? '']) t.is(await askTcp(place, address, 8081), undefined);
  }
});

test('packets for 127.0.0.1 from outside are dropped', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const web = await engine.container(network, { ports: [udp(53, 8083, '127.0.0.1'), udp(53, 8084)] });
  const attacker = await engine.container(network);
  const askers: string[] = [];
  t.teardown(listenUdp(web.path, 53, 'web', '0.0.0.0', (asker) => askers.push(asker)));
  t.teardown(listenUdp(undefined, 8085, 'of the host', '127.0.0.1', (asker) => askers.push(asker)));
  t.is(await askUdp(undefined, '127.0.0.1', 8083), `web ${web.joined.gateway}`);
  t.is(await askUdp(undefined, '127.0.0.1', 8085), 'of the host 127.0.0.1');
  for (const [place, link, router] of [
    [world.outside, 'up0', host.ipv4],
    [attacker.path, 'eth0', attacker.joined.gateway ?? ''],
  ] as const) {
    await inside(place, 'sysctl', '-qw', `net.ipv4.conf.${link}.route_localnet=1`);
    await inside(place, 'ip', 'route', 'del', 'local', '127.0.0.0/8', 'dev', 'lo', 'table', 'local');
    await inside(place, 'ip', 'route', 'del', 'local', '127.0.0.1', 'dev', 'lo', 'table', 'local');
    await inside(place, 'ip', 'route', 'add', '127.0.0.1', 'via', router, 'dev', link);
    t.teardown(() => inside(place, 'ip', 'route', 'del', '127.0.0.1'));
    for (const port of [8083, 8084, 8085]) t.is(await askUdp(place, '127.0.0.1', port), undefined, `${link} ${port}`);
  }
  t.deepEqual(askers, [web.joined.gateway, '127.0.0.1']);
});
