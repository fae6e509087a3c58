import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { FluentdLog } from './fluentd-log.js';

export default defineDriver({
  id: 'fluentd',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => FluentdLog,
});
