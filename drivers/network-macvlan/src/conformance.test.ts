import { networkDriverSuite, openDriver } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test from 'ava';
import driver from './index.js';

// A host of the test process's own, which goes with it.
kernelNamespaces.leaveNetwork();

let count = 0;

const links = (): string[] =>
  kernelNetlink.use(undefined, (socket) => socket.links().map(({ name, alias }) => `link ${name} (${alias})`));

networkDriverSuite(test, () => openDriver(driver, { config: { owner: `suite_${process.pid}_${++count}` } }), {
  sandboxes: () => openDriver(netns),
  badOptions: {
    'gantry.macvlan.mode': 'sideways',
    macvlan_mode: 'x',
    'gantry.macvlan.mtu': 'large',
    parent: 'no/name',
  },
  leakProbes: [links],
});
