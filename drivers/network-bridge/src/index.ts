import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Conntrack } from '@gantry/lib-linux/conntrack';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';
import { Nftables } from '@gantry/lib-linux/nftables';
import { HostSockets, Sockets } from '@gantry/lib-linux/sockets';
import { configSchema } from './config.js';
import { createDriver } from './create-driver.js';

export default defineDriver({
  id: 'bridge',
  provides: NetworkDrivers,
  requires: [Netlink, Sysctl, Nftables, Namespaces, Conntrack, Sockets, HostSockets],
  configSchema,
  create: createDriver,
});
