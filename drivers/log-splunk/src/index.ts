import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { SplunkLog } from './splunk-log.js';

export default defineDriver({
  id: 'splunk',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => SplunkLog,
});
