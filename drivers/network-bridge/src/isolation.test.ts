import { kernelSysctl } from '@gantry/lib-linux/netlink';
import test from 'ava';
import { type Container, Engine, tcp, udp } from './testing/engine.js';
import { askTcp, askUdp, inside, listenTcp, listenUdp } from './testing/traffic.js';
import { enterWorld, host, outside } from './testing/world.js';

const world = enterWorld();
test.after.always(() => world.end());

const closed = { options: { 'com.docker.network.bridge.enable_icc': 'false' } };

test('containers of one network reach each other, those of different ones do not', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const [one, two] = [await engine.container(network), await engine.container(network)];
  const other = await engine.container(await engine.network());
  t.teardown(await listenTcp(one.path, 80, 'one'));
  t.teardown(await listenTcp(other.path, 80, 'other'));
  t.is(await askTcp(two.path, one.ipv4, 80), `one ${two.ipv4}`);
  t.is(await askTcp(other.path, one.ipv4, 80), undefined);
  t.is(await askTcp(two.path, other.ipv4, 80), undefined);
});

test('networks of two engines on one host are apart too, except for what is published', async (t) => {
  const [first, second] = [await Engine.start(t), await Engine.start(t)];
  const one = await first.container(await first.network(), { ports: [tcp(80, 8090)] });
  const two = await second.container(await second.network());
  t.teardown(await listenTcp(one.path, 80, 'one'));
  t.is(await askTcp(two.path, one.ipv4, 80), undefined);
  t.is(await askTcp(two.path, host.ipv4, 8090), `one ${one.joined.gateway}`);
  t.is(await askTcp(world.outside, host.ipv4, 8090), `one ${outside.ipv4}`);
});

for (const bridgedFiltering of ['0', '1']) {
  test.serial(
    `a closed network lets only links through, with bridge-nf-call-iptables ${bridgedFiltering}`,
    async (t) => {
      const setting = 'net/bridge/bridge-nf-call-iptables';
      if (kernelSysctl.read(setting) !== undefined) kernelSysctl.write(setting, bridgedFiltering);
      const engine = await Engine.start(t);
      const network = await engine.network(closed);
      const database = await engine.container(network, {
        endpointId: 'database',
        exposedPorts: ['80/tcp', '53/udp'],
        ports: [tcp(80, 8091), udp(53, 8091)],
      });
      t.teardown(await listenTcp(database.path, 80, 'exposed'));
      t.teardown(await listenTcp(database.path, 81, 'not exposed'));
      t.teardown(listenUdp(database.path, 53, 'exposed'));
      const unlinked = await engine.container(network);
      t.is(await askTcp(unlinked.path, database.ipv4, 80), undefined);

      const linked = await engine.container(network, { linkedTo: ['database'], exposedPorts: ['90/tcp'] });
      t.teardown(await listenTcp(linked.path, 90, 'linked'));
      t.is(await askTcp(linked.path, database.ipv4, 80), `exposed ${linked.ipv4}`);
      t.is(await askUdp(linked.path, database.ipv4, 53), `exposed ${linked.ipv4}`);
      t.is(await askTcp(linked.path, database.ipv4, 81), undefined);
      t.is(await askTcp(database.path, linked.ipv4, 90), undefined, 'a link goes one way');
      t.is(await askTcp(unlinked.path, database.ipv4, 80), undefined);
      await overTheGateway(unlinked);
      t.is(await askTcp(unlinked.path, database.ipv4, 80), undefined, 'nor by way of the gateway');

      const gateway = database.joined.gateway ?? '';
      for (const { path } of [unlinked, linked, database]) {
        t.is(await askTcp(path, host.ipv4, 8091), `exposed ${gateway}`, 'what is published is published');
        t.is(await askUdp(path, host.ipv4, 8091), `exposed ${gateway}`);
      }
      t.is(await askTcp(world.outside, host.ipv4, 8091), `exposed ${outside.ipv4}`);
      t.teardown(await listenTcp(world.outside, 7002, 'outside'));
      t.is(await askTcp(unlinked.path, outside.ipv4, 7002), `outside ${host.ipv4}`);

      await engine.driver.leave(network.id, linked.request.endpointId);
      const heir = await engine.container(network, { ipv4: linked.request.ipv4 ?? '' });
      t.is(await askTcp(heir.path, database.ipv4, 80), undefined, 'a link ends with either end');
    },
  );
}

test('a link may be named by the one that joins later', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network(closed);
  const client = await engine.container(network, { endpointId: 'client' });
  const server = await engine.container(network, { linkedFrom: ['client'], exposedPorts: ['80'] });
  t.teardown(await listenTcp(server.path, 80, 'server'));
  t.is(await askTcp(client.path, server.ipv4, 80), `server ${client.ipv4}`);
});

test('nothing goes into an internal network or out of it', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ internal: true });
  const one = await engine.container(network, { ports: [tcp(80, 8092)] });
  const two = await engine.container(network);
  const web = await engine.container(await engine.network(), { ports: [tcp(80, 8093)] });
  t.deepEqual(one.joined.ports, []);
  t.is(one.joined.gateway, undefined);
  for (const [place, word] of [
    [one.path, 'one'],
    [web.path, 'web'],
    [world.outside, 'outside'],
  ] as const) {
    t.teardown(await listenTcp(place, 80, word));
  }
  t.is(await askTcp(two.path, one.ipv4, 80), `one ${two.ipv4}`);
  t.is(await inside(one.path, 'ip', 'route', 'show', 'default'), '');
  // Also for who makes a way of his own.
  const gateway = network.pools[0]?.gateway?.split('/')[0] ?? '';
  await inside(one.path, 'ip', 'route', 'add', 'default', 'via', gateway);
  t.is(await askTcp(one.path, outside.ipv4, 80), undefined);
  t.is(await askTcp(one.path, web.ipv4, 80), undefined);
  t.is(await askTcp(one.path, host.ipv4, 8093), undefined);
  t.is(await askTcp(web.path, one.ipv4, 80), undefined);
  t.is(await askTcp(world.outside, one.ipv4, 80), undefined);
});

test('without masquerading the world sees the containers’ addresses', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ options: { 'gantry.bridge.masquerade': 'false' } });
  const container = await engine.container(network);
  t.teardown(await listenTcp(world.outside, 7003, 'outside'));
  t.is(await askTcp(container.path, outside.ipv4, 7003), `outside ${container.ipv4}`);
});

test('what another table drops stays dropped', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const web = await engine.container(network, { ports: [tcp(80, 8094), tcp(80, 8095)] });
  t.teardown(await listenTcp(web.path, 80, 'web'));
  await inside(undefined, 'nft', 'add table inet mine');
  t.teardown(() => inside(undefined, 'nft', 'delete table inet mine'));
  await inside(undefined, 'nft', 'add chain inet mine f { type filter hook forward priority 10; }');
  await inside(undefined, 'nft', 'add rule inet mine f iifname up0 meta l4proto tcp ct original proto-dst 8094 drop');
  t.is(await askTcp(world.outside, host.ipv4, 8094), undefined);
  t.is(await askTcp(world.outside, host.ipv4, 8095), `web ${outside.ipv4}`);
  t.is(await askTcp(undefined, host.ipv4, 8094), `web ${host.ipv4}`);
});

/** What the firewalls of distributions forward by default, which is nothing, and how to allow it. */
const firewalls = {
  ufw: { table: 'ip filter', chain: 'FORWARD', hook: 'priority 0; policy drop;', end: [] },
  firewalld: {
    table: 'inet firewalld',
    chain: 'filter_FORWARD',
    hook: 'priority 10; policy accept;',
    end: ['ct state established,related accept', 'ct status dnat accept', 'reject'],
  },
} as const;

for (const [name, { table, chain, hook, end }] of Object.entries(firewalls)) {
  test.serial(`with rules like those of ${name}, nothing is forwarded that they do not let through`, async (t) => {
    const engine = await Engine.start(t);
    const network = await engine.network();
    const web = await engine.container(network, { ports: [tcp(80, 8096)] });
    t.teardown(await listenTcp(web.path, 80, 'web'));
    t.teardown(await listenTcp(world.outside, 7004, 'outside'));
    const nft = (command: string) => inside(undefined, 'nft', command);
    await nft(`add table ${table}`);
    t.teardown(() => nft(`delete table ${table}`));
    await nft(`add chain ${table} ${chain} { type filter hook forward ${hook} }`);
    for (const rule of end) await nft(`add rule ${table} ${chain} ${rule}`);
    t.is(await askTcp(web.path, outside.ipv4, 7004), undefined);
    t.is(await askTcp(undefined, host.ipv4, 8096), `web ${host.ipv4}`, 'the host asks itself');
    const letsPublishedThrough = name === 'firewalld';
    t.is(await askTcp(world.outside, host.ipv4, 8096), letsPublishedThrough ? `web ${outside.ipv4}` : undefined);
    for (const side of ['iifname', 'oifname']) await nft(`insert rule ${table} ${chain} ${side} "br-*" accept`);
    t.is(await askTcp(web.path, outside.ipv4, 7004), `outside ${host.ipv4}`);
    t.is(await askTcp(world.outside, host.ipv4, 8096), `web ${outside.ipv4}`);
    t.is(await askTcp(world.outside, web.ipv4, 80), undefined, 'what they let through the engine still may not');
  });
}

/** Sends everything for the subnet to the gateway, as a container that means no good can. */
async function overTheGateway({ path, ipv4, joined }: Container): Promise<void> {
  await inside(
    path,
    'ip',
    'route',
    'replace',
    `${ipv4.replace(/\d+$/, '0')}/24`,
    'via',
    joined.gateway ?? '',
    'dev',
    'eth0',
    'onlink',
  );
}
