import type { NetworkDriver } from '@gantry/core/contracts';
import type { Class, DriverContext } from '@gantry/core/driver';
import { registerChildLinks } from '@gantry/lib-network/child-links';
import type { IpvlanConfig } from './config.js';
import { parseIpvlanOptions } from './parse-ipvlan-options.js';

/** Links with the hardware address of their parent. */
export const createDriver = ({ config, container }: DriverContext<IpvlanConfig>): Class<NetworkDriver> =>
  registerChildLinks(container, {
    name: 'ipvlan',
    owner: config.owner,
    prefix: 'iv',
    ownHardwareAddress: false,
    parseOptions: parseIpvlanOptions,
  });
