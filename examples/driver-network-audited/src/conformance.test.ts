import { networkDriverSuite, openDriver } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test from 'ava';
import audited from './index.js';

// A host of the test process's own, which goes with it.
kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));

let count = 0;

networkDriverSuite(
  test,
  () => openDriver(audited, { config: { table: `aud_${process.pid}_${++count}`, checkSeconds: 3600 } }),
  { sandboxes: () => openDriver(netns), badOptions: { 'com.docker.network.bridge.enable_icc': 'perhaps' } },
);
