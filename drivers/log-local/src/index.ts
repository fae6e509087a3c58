import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { LocalLog } from './local-log.js';

export default defineDriver({
  id: 'local',
  provides: LogDrivers,
  configSchema,
  create: () => LocalLog,
});
