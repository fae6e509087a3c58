import { IpamDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Netlink } from '@gantry/lib-linux/netlink';
import { configSchema, parsePools } from './config.js';
import { DefaultIpam, SubnetSources } from './default-ipam.js';
import { HostAddresses } from './host-addresses.js';
import { localIpv6Pool } from './local-ipv6-pool.js';

export default defineDriver({
  id: 'default',
  provides: IpamDrivers,
  requires: [Netlink],
  configSchema,
  async create({ config, container }) {
    const local = parsePools({ pools: [await localIpv6Pool()] });
    container.registerValue(SubnetSources, [...parsePools(config), ...local]);
    container.register(HostAddresses);
    return DefaultIpam;
  },
});
