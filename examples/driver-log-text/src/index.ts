import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { TextLogs } from './text-logs.js';

export default defineDriver({
  id: 'text',
  provides: LogDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => TextLogs,
});
