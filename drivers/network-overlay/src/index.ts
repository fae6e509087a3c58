import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Ipsec } from '@gantry/lib-linux/ipsec';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';
import { configSchema } from './config.js';
import { createDriver } from './create-driver.js';

export default defineDriver({
  id: 'overlay',
  provides: NetworkDrivers,
  requires: [Netlink, Sysctl, Namespaces, Ipsec],
  configSchema,
  create: createDriver,
});
