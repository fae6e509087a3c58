import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LogDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { FakeLog } from './fake-log.js';

/** A module from which a worker thread makes a log driver. */
export const workerLog = defineDriver({
  id: 'fake',
  provides: LogDrivers,
  configSchema: Type.Object({}),
  // The file shows the test that another thread created it.
  create: async ({ dirs, log }) => {
    log.info({ event: 'test.created', callback: () => undefined }, 'created in a worker');
    await writeFile(path.join(dirs.root, 'made'), '');
    return new FakeLog();
  },
});
