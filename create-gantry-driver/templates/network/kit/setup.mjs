import { openDriver } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';

// A host of the checks' own, which goes with them.
kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));

let count = 0;

/** A table of its own each time that the kit opens the driver. */
export const open = () => ({ config: { table: `kit_${process.pid}_${++count}`, checkSeconds: 3600 } });

export const suite = {
  sandboxes: () => openDriver(netns),
  badOptions: { 'com.docker.network.bridge.enable_icc': 'perhaps' },
};
