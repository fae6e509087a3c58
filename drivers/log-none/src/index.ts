import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { NoLog } from './no-log.js';

export default defineDriver({
  id: 'none',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => NoLog,
});
