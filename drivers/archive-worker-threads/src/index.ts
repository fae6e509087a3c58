import { ArchiveDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { configSchema } from './config.js';
import { ThreadPool } from './pool/thread-pool.js';
import { WorkerThreadArchive } from './worker-thread-archive.js';

export default defineDriver({
  id: 'worker-threads',
  provides: ArchiveDrivers,
  requires: [Launcher],
  configSchema,
  create({ container }) {
    container.registerHooks(ThreadPool);
    return WorkerThreadArchive;
  },
});
