import type { NetworkDriver } from '@gantry/core/contracts';
import type { Class, DriverContext } from '@gantry/core/driver';
import { registerChildLinks } from '@gantry/lib-network/child-links';
import type { MacvlanConfig } from './config.js';
import { parseMacvlanOptions } from './parse-macvlan-options.js';

/** Links with hardware addresses of their own. */
export const createDriver = ({ config, container }: DriverContext<MacvlanConfig>): Class<NetworkDriver> =>
  registerChildLinks(container, {
    name: 'macvlan',
    owner: config.owner,
    prefix: 'mv',
    ownHardwareAddress: true,
    parseOptions: parseMacvlanOptions,
  });
