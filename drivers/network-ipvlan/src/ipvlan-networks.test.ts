import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Opened, openDriver, rejects } from '@gantry/conformance';
import type { JoinRequest, NetworkDriver, NetworkSpec, SandboxDriver } from '@gantry/core/contracts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test, { type ExecutionContext } from 'ava';
import driver from './index.js';
import { hasIpvlan } from './testing/has-ipvlan.js';

// A host of the test process's own, with an interface to a neighbour; all of it goes with the process.
kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (host) => {
  host.setLink('lo', { up: true });
  for (const number of [0, 1, 2, 3]) {
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
        { subnet: `10.91.${number}.0/24`, gateway: `10.91.${number}.1/24` },
        { subnet: `fd91:${number}::/64`, gateway: `fd91:${number}::1/64` },
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

const bare = (address = ''): string => address.replace(/\/.*/, '');
const ping = (from: JoinRequest, to: string | undefined) =>
  inside(from.sandbox.path, 'busybox', 'ping', '-c1', '-W2', bare(to));
const onIpvlan = hasIpvlan() ? test.serial : test.serial.skip;

if (!hasIpvlan()) {
  test('a network is refused by a kernel without ipvlan, and nothing is left', async (t) => {
    const engine = await Engine.start(t);
    const before = links();
    await rejects(t, engine.network({ parent: 'up0' }), 'unavailable', /this kernel has no ipvlan/);
    await rejects(t, engine.network({}, { internal: true }), 'unavailable', /this kernel has no ipvlan/);
    t.deepEqual(links(), before);
  });
}

for (const mode of ['l2', 'l3', 'l3s']) {
  onIpvlan(`containers on one interface reach each other in mode ${mode}, with its hardware address`, async (t) => {
    const engine = await Engine.start(t);
    const network = await engine.network({ parent: 'up0', ipvlan_mode: mode });
    const [one, other] = [await engine.request(network, 5), await engine.request(network, 6)];
    const joined = await engine.driver.join(one);
    await engine.driver.join(other);
    t.is(joined.macAddress, '');
    const shown = await inside(one.sandbox.path, 'ip', '-d', 'link', 'show', 'eth0');
    const parent = kernelNetlink.use(undefined, (host) => host.link('up0')?.macAddress);
    t.regex(shown, new RegExp(`link/ether ${parent} .*ipvlan *mode ${mode} bridge`, 's'));
    for (const to of [other.ipv4, other.ipv6]) await ping(one, to);
    const routes = await inside(one.sandbox.path, 'ip', 'route');
    const sixth = await inside(one.sandbox.path, 'ip', '-6', 'route');
    if (mode === 'l2') {
      t.regex(routes, new RegExp(`^default via ${joined.gateway} dev eth0`));
      t.regex(sixth, new RegExp(`^default via ${joined.ipv6Gateway} dev eth0`, 'm'));
    } else {
      t.is(joined.gateway, undefined);
      t.regex(routes, /^default dev eth0/);
      t.regex(sixth, /^default dev eth0/m);
    }
    // The default routes move to another network and back.
    await engine.driver.join({ ...one, defaultRoute: false });
    t.notRegex(await inside(one.sandbox.path, 'ip', 'route'), /^default/);
    await engine.driver.join(one);
    t.regex(await inside(one.sandbox.path, 'ip', 'route'), /^default/);
    for (const { endpointId } of [one, other]) await engine.driver.leave(network.id, endpointId);
    await engine.driver.removeNetwork(network.id);
  });
}

onIpvlan('a network without a parent leads nowhere, has an interface of its own, and takes it along', async (t) => {
  const engine = await Engine.start(t);
  const before = links();
  const network = await engine.network({}, { internal: true });
  t.is(links().length, before.length + 2);
  const [one, other] = [await engine.request(network, 2), await engine.request(network, 3)];
  t.is((await engine.driver.join(one)).gateway, undefined);
  await engine.driver.join(other);
  await ping(one, other.ipv4);
  for (const { endpointId } of [one, other]) await engine.driver.leave(network.id, endpointId);
  await engine.driver.removeNetwork(network.id);
  t.deepEqual(links(), before);
});

onIpvlan('the flag private keeps containers apart, and what cannot be is refused by name', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ parent: 'up1', ipvlan_flag: 'private' });
  const [one, other] = [await engine.request(network, 5), await engine.request(network, 6)];
  for (const request of [one, other]) await engine.driver.join(request);
  await t.throwsAsync(ping(one, other.ipv4));
  const withMac = await engine.request(network, 7, { macAddress: '02:42:00:00:00:07' });
  await rejects(t, engine.driver.join(withMac), 'invalid-argument', /02:42:00:00:00:07.*that of their parent/);
  await rejects(t, engine.network({ parent: 'up1' }), 'forbidden', /already using parent interface up1/);
  await rejects(t, engine.network({ parent: 'nosuch' }), 'invalid-argument', /no interface "nosuch"/);
  await rejects(t, engine.network({ parent: 'up2' }, { internal: true }), 'invalid-argument', /"up2"/);
  kernelNetlink.use(undefined, (host) => host.addLink({ kind: 'macvlan', name: 'taken', parent: 'up3' }));
  await rejects(t, engine.network({ parent: 'up3' }), 'conflict', /parent interface up3 carries links/);
});

onIpvlan('an interface that was deleted externally is created again by restore', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network();
  const request = await engine.request(network, 2);
  const joined = await engine.driver.join(request);
  await inside(request.sandbox.path, 'ip', 'link', 'del', 'eth0');
  await engine.driver.restore([network], [{ request, joined }]);
  t.regex(await inside(request.sandbox.path, 'ip', '-d', 'link', 'show', 'eth0'), /ipvlan/);
});
