import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { configSchema } from './config.js';
import { JsonFileLog } from './json-file-log.js';

export default defineDriver({
  id: 'json-file',
  provides: LogDrivers,
  configSchema,
  create: () => JsonFileLog,
});
