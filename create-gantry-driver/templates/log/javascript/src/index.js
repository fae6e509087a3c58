import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { __Name__Logs } from './logs.js';

export default defineDriver({
  id: '__id__',
  provides: LogDrivers,
  /** The section `drivers["log/__id__"]` of the daemon's configuration: no keys yet. */
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new __Name__Logs(),
});
