import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { fluentdLog } from './fluentd-log.js';

export default defineDriver({
  id: 'fluentd',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: fluentdLog,
});
