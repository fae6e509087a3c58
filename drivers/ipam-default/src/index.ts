import { IpamDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Netlink } from '@gantry/lib-linux/netlink';
import { configSchema, parsePools } from './config.js';
import { DefaultIpam, SubnetSources } from './default-ipam.js';
import { HostAddresses } from './host-addresses.js';

export default defineDriver({
  id: 'default',
  provides: IpamDrivers,
  requires: [Netlink],
  configSchema,
  create({ config, container }) {
    container.registerValue(SubnetSources, parsePools(config));
    container.register(HostAddresses);
    return DefaultIpam;
  },
});
