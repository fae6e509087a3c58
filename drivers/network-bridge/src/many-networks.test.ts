import { openDriver, rejects, withService } from '@gantry/conformance';
import type { NetworkSpec } from '@gantry/core/contracts';
import { kernelNetlink, Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import test from 'ava';
import driver from './index.js';
import { Engine } from './testing/engine.js';
import { enterWorld } from './testing/world.js';

const world = enterWorld();
test.after.always(() => world.end());

const count = 30;
const specs = Array.from({ length: count }, (_, index): NetworkSpec => {
  const id = `${index}`.padStart(12, '0').padEnd(64, 'a');
  const subnet = `10.120.${index}`;
  const pools = [{ subnet: `${subnet}.0/24`, gateway: `${subnet}.1/24` }];
  return { id, name: `n${index}`, options: {}, internal: false, ipv6: false, pools };
});

test('all routes of the host are listed once for the restored networks, not once for each', async (t) => {
  let lists = 0;
  const counting = (socket: NetlinkSocket): NetlinkSocket =>
    new Proxy(socket, {
      get(target, name) {
        if (name === 'routes') lists += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const netlink: Netlink = { ...kernelNetlink, open: (options) => counting(kernelNetlink.open(options)) };
  const { driver: bridges, release } = await openDriver(driver, {
    config: { table: `many_${process.pid}` },
    services: [withService(Netlink, netlink)],
  });
  t.teardown(release);
  await bridges.restore(specs, []);
  t.is(lists, 1);
  const links = kernelNetlink.use(undefined, (socket) => socket.links());
  t.is(links.filter(({ name }) => name.startsWith('br-')).length, count);
});

test('a network whose bridge has no port left is said to be full', async (t) => {
  const engine = await Engine.start(t);
  const network = await engine.network({ options: { 'gantry.bridge.name': 'full0' } });
  kernelNetlink.use(undefined, (socket) => {
    const master = socket.link('full0')?.index ?? 0;
    for (let pair = 0; pair < 512; pair += 1) {
      const peer = `p${pair}`;
      socket.addLink({ kind: 'veth', name: `q${pair}`, peer: { name: peer } });
      socket.setLink(`q${pair}`, { master });
      if (pair > 0) socket.setLink(peer, { master });
    }
  });
  const full = new RegExp(
    `^network ${network.name} is full: a Linux bridge has 1023 ports, and all of full0 are in use$`,
  );
  await rejects(t, engine.container(network), 'unavailable', full);
});
