import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { GelfLog } from './gelf-log.js';

export default defineDriver({
  id: 'gelf',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => GelfLog,
});
