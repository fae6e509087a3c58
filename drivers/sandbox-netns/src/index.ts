import { SandboxDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';
import { Nftables } from '@gantry/lib-linux/nftables';
import { Sockets } from '@gantry/lib-linux/sockets';
import { Type } from '@sinclair/typebox';
import { NamespaceSetup } from './namespace-setup.js';
import { NetnsSandboxes } from './netns-sandboxes.js';
import { OwnedNetwork } from './owned-network.js';
import { ResolverSockets } from './resolver-sockets.js';

export default defineDriver({
  id: 'netns',
  provides: SandboxDrivers,
  requires: [Launcher, Mounts, Namespaces, Netlink, Sysctl, Nftables, Sockets],
  configSchema: Type.Object({}, { additionalProperties: false }),
  create({ container }) {
    container.register(NamespaceSetup, OwnedNetwork, ResolverSockets);
    return NetnsSandboxes;
  },
});
