import { networkDriverSuite, openDriver } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test from 'ava';
import driver from './index.js';
import { hasIpvlan } from './testing/has-ipvlan.js';

// A host of the test process's own, which goes with it.
kernelNamespaces.leaveNetwork();

let count = 0;

const links = (): string[] =>
  kernelNetlink.use(undefined, (socket) => socket.links().map(({ name, alias }) => `link ${name} (${alias})`));

if (hasIpvlan()) {
  networkDriverSuite(test, () => openDriver(driver, { config: { owner: `suite_${process.pid}_${++count}` } }), {
    sandboxes: () => openDriver(netns),
    badOptions: { 'gantry.ipvlan.mode': 'l4', ipvlan_flag: 'x', 'gantry.ipvlan.mtu': 'large', parent: 'no/name' },
    leakProbes: [links],
  });
} else {
  test('the suite of network drivers needs a kernel with ipvlan', (t) => {
    t.log('this kernel has none: only the refusal is tested');
    t.false(hasIpvlan());
  });
}
