import { NetworkDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { createDriver } from './create-driver.js';

export default defineDriver({ id: 'macvlan', provides: NetworkDrivers, configSchema, create: createDriver });
