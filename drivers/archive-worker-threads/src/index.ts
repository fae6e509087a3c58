import { ArchiveDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import { configSchema } from './config.js';
import { ThreadPool } from './pool/thread-pool.js';
import { ProgramLauncher, WorkerThreadArchive } from './worker-thread-archive.js';

export default defineDriver({
  id: 'worker-threads',
  provides: ArchiveDrivers,
  configSchema,
  create({ container }) {
    container.registerValue(ProgramLauncher, new SpawnLauncher());
    container.register(ThreadPool);
    return WorkerThreadArchive;
  },
});
