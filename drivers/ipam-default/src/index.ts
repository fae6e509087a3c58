import { IpamDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema, parsePools } from './config.js';
import { DefaultIpam } from './default-ipam.js';
import { readHostBlocks } from './host-blocks.js';

export default defineDriver({
  id: 'default',
  provides: IpamDrivers,
  configSchema,
  create: ({ config }) => new DefaultIpam(parsePools(config), () => readHostBlocks()),
});
