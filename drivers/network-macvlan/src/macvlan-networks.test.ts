import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Opened, openDriver, rejects } from '@gantry/conformance';
import type { JoinRequest, NetworkDriver, NetworkSpec, SandboxDriver } from '@gantry/core/contracts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test, { type ExecutionContext } from 'ava';
import driver from './index.js';

// A host of the test process's own, with an interface to a neighbour; all of it goes with the process.
kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (host) => {
  host.setLink('lo', { up: true });
  for (const number of [0, 1, 2]) {
    host.addLink({ kind: 'veth', name: `up${number}`, peer: { name: `down${number}` } });
    for (const name of [`up${number}`, `down${number}`]) host.setLink(name, { up: true });
  }
});

const run = promisify(execFile);
const inside = async (path: string, ...command: readonly string[]): Promise<string> =>
  (await run('nsenter', [`--net=${path}`, ...command])).stdout;
const links = (): string[] => kernelNetlink.use(undefined, (host) => host.links().map(({ name }) => name));

let count = 0;

class Engine {
  readonly #opened: { network: Opened<NetworkDriver>; netns: Opened<SandboxDriver> };

  private constructor(network: Opened<NetworkDriver>, sandboxes: Opened<SandboxDriver>) {
    this.#opened = { network, netns: sandboxes };
  }

  static async start(t: ExecutionContext): Promise<Engine> {
    const sandboxes = await openDriver(netns);
    const network = await openDriver(driver, { config: { owner: `test_${process.pid}_${++count}` } });
    t.teardown(async () => {
      for (const id of await sandboxes.driver.list()) await sandboxes.driver.remove(id);
      await network.release();
      await sandboxes.release();
    });
    return new Engine(network, sandboxes);
  }

  get driver(): NetworkDriver {
    return this.#opened.network.driver;
  }

  async network(options: Record<string, string> = {}, wishes: Partial<NetworkSpec> = {}): Promise<NetworkSpec> {
    const number = ++count;
    const spec: NetworkSpec = {
      id: `${process.pid}n${number}`.padEnd(64, '0'),
      name: `net${number}`,
      options,
      internal: false,
      ipv6: true,
      pools: [
        { subnet: `10.90.${number}.0/24`, gateway: `10.90.${number}.1/24` },
        { subnet: `fd90:${number}::/64`, gateway: `fd90:${number}::1/64` },
      ],
      ...wishes,
    };
    await this.driver.createNetwork(spec);
    return spec;
  }

  async request(network: NetworkSpec, host: number, wishes: Partial<JoinRequest> = {}): Promise<JoinRequest> {
    const [ipv4 = '', ipv6 = ''] = network.pools.map(({ subnet }) => subnet);
    return {
      networkId: network.id,
      endpointId: `${network.id.slice(0, 12)}e${host}`,
      sandbox: await this.#opened.netns.driver.create(`box${++count}`),
      ipv4: ipv4.replace('0/24', `${host}/24`),
      ipv6: ipv6.replace('::/64', `::${host}/64`),
      interfaceName: 'eth0',
      defaultRoute: true,
      ports: [],
      ...wishes,
    };
  }
}

test('containers on one interface reach each other by both families, and lead to the network outside', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ parent: 'up0' });
  const [one, other] = [await engine.request(network, 5), await engine.request(network, 6)];
  const { gateway, ipv6Gateway, macAddress } = await engine.driver.join(one);
  await engine.driver.join(other);
  const bare = (address = ''): string => address.replace(/\/.*/, '');
  await inside(one.sandbox.path, 'busybox', 'ping', '-c1', '-W2', bare(other.ipv4));
  await inside(one.sandbox.path, 'busybox', 'ping', '-c1', '-W2', bare(other.ipv6));
  t.regex(await inside(one.sandbox.path, 'ip', 'link', 'show', 'eth0'), new RegExp(`,UP.*${macAddress}`, 's'));
  t.regex(await inside(one.sandbox.path, 'ip', 'route'), new RegExp(`^default via ${gateway} dev eth0`));
  t.regex(await inside(one.sandbox.path, 'ip', '-6', 'route'), new RegExp(`^default via ${ipv6Gateway} dev eth0`, 'm'));
});

test.serial('a network without a parent leads nowhere, has an interface of its own, and takes it along', async (t) => {
  const engine = await Engine.start(t);
  const before = links();
  const network = await engine.network({}, { internal: true });
  t.is(links().length, before.length + 2);
  const [one, other] = [await engine.request(network, 2), await engine.request(network, 3)];
  t.is((await engine.driver.join(one)).gateway, undefined);
  await engine.driver.join(other);
  await inside(one.sandbox.path, 'busybox', 'ping', '-c1', '-W2', other.ipv4?.replace(/\/.*/, '') ?? '');
  for (const { endpointId } of [one, other]) await engine.driver.leave(network.id, endpointId);
  await engine.driver.removeNetwork(network.id);
  t.deepEqual(
    links().filter((name) => /^m[vx]-/.test(name) && !before.includes(name)),
    [],
  );
});

test('options settle mode and size, and what cannot be is refused by name', async (t) => {
  const engine = await Engine.start(t);
  const options = { parent: 'up1', macvlan_mode: 'private', 'com.docker.network.driver.mtu': '1300' };
  const network = await engine.network(options);
  const [one, other] = [await engine.request(network, 5), await engine.request(network, 6)];
  for (const request of [one, other]) await engine.driver.join(request);
  t.regex(await inside(one.sandbox.path, 'ip', '-d', 'link', 'show', 'eth0'), /mtu 1300.*macvlan mode private/s);
  const address = other.ipv4?.replace(/\/.*/, '') ?? '';
  await t.throwsAsync(inside(one.sandbox.path, 'busybox', 'ping', '-c1', '-W1', address));
  await rejects(t, engine.network({ parent: 'up1' }), 'forbidden', /already using parent interface up1/);
  await rejects(t, engine.network({ parent: 'nosuch' }), 'invalid-argument', /no interface "nosuch"/);
  await rejects(t, engine.network({ parent: 'nosuch.5' }), 'invalid-argument', /no interface "nosuch"/);
  await rejects(t, engine.network({ parent: 'up2' }, { internal: true }), 'invalid-argument', /"up2"/);
});

test('a conflicting interface in the sandbox is an error, and nothing is left', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const request = await engine.request(network, 2);
  await inside(request.sandbox.path, 'ip', 'link', 'add', 'eth0', 'type', 'bridge');
  await rejects(t, engine.driver.join(request), 'conflict', /has an interface eth0/);
  await inside(request.sandbox.path, 'ip', 'link', 'del', 'eth0');
  await engine.driver.join(request);
});

test('an interface that was deleted externally is created again by restore', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const request = await engine.request(network, 2);
  const joined = await engine.driver.join(request);
  await inside(request.sandbox.path, 'ip', 'link', 'del', 'eth0');
  await engine.driver.restore([network], [{ request, joined }]);
  t.regex(await inside(request.sandbox.path, 'ip', 'link', 'show', 'eth0'), new RegExp(joined.macAddress));
});

test('the interface with which a killed daemon tried a parent is removed by restore', async (t) => {
  const engine = await Engine.start(t);
  const name = 'mvp0123456789';
  kernelNetlink.use(undefined, (host) => host.addLink({ kind: 'macvlan', name, parent: 'up2' }));
  await engine.driver.restore([], []);
  t.false(links().includes(name));
});

test('a second engine with the owner of one that runs does not start, and the first keeps its links', async (t) => {
  const owner = `test_${process.pid}_${++count}`;
  const first = await openDriver(driver, { config: { owner } });
  t.teardown(() => first.release());
  const network: NetworkSpec = {
    id: 'f'.repeat(60) + count,
    name: 'kept',
    options: {},
    internal: false,
    ipv6: false,
    pools: [],
  };
  await first.driver.createNetwork(network);
  const second = openDriver(driver, { config: { owner } });
  await rejects(
    t,
    second,
    'conflict',
    new RegExp(`uses the owner "${owner}"; set config\\.drivers\\["network/macvlan"\\]\\.owner`),
  );
  const aliases = kernelNetlink.use(undefined, (host) => host.links().map(({ alias }) => alias));
  t.true(aliases.includes(`${owner} macvlan ${network.id}`));
  await first.driver.removeNetwork(network.id);
});
