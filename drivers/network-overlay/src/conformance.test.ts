import { networkDriverSuite, openDriver } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test from 'ava';
import driver from './index.js';

// A host of the test process's own, which goes with it.
kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));

const links = (): string[] =>
  kernelNetlink.use(undefined, (socket) => socket.links().map(({ name, alias }) => `link ${name} (${alias})`));

networkDriverSuite(test, () => openDriver(driver, { config: { checkSeconds: 3600 } }), {
  sandboxes: () => openDriver(netns),
  badOptions: { 'com.docker.network.driver.mtu': 'large', 'gantry.overlay.mtu': '1' },
  leakProbes: [links],
});
