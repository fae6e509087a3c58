import { networkDriverSuite, openDriver } from '@gantry/conformance';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test from 'ava';
import driver from './index.js';
import { enterWorld } from './testing/world.js';

const world = enterWorld();
test.after.always(() => world.end());

let count = 0;

/** Links of the host that were not there before: bridges and the ends of endpoints. */
const links = (): string[] =>
  kernelNetlink.use(undefined, (socket) => socket.links().map(({ name, alias }) => `link ${name} (${alias})`));

// Drivers that a check lets crash live on in this process: they must not repair what their successors change.
networkDriverSuite(
  test,
  () => openDriver(driver, { config: { table: `suite_${process.pid}_${++count}`, checkSeconds: 3600 } }),
  {
    sandboxes: () => openDriver(netns),
    badOptions: { 'com.docker.network.bridge.enable_icc': 'perhaps', 'gantry.bridge.mtu': 'large' },
    leakProbes: [links],
  },
);
