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
  // Tells that it was made, which happens in another thread.
  create: async ({ dirs }) => {
    await writeFile(path.join(dirs.root, 'made'), '');
    return new FakeLog();
  },
});
