import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { FakeLog } from './fake-log.js';

/** A module from which a worker thread makes a log driver. */
export const workerLog = defineDriver({
  id: 'fake',
  provides: LogDrivers,
  configSchema: Type.Object({}),
  create: () => new FakeLog(),
});
