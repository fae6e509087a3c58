import { type IdMappings, identityMappings } from '@gantry/core/contracts';
import { type Launcher, SpawnLauncher } from '@gantry/lib-linux/launcher';
import type { ExecutionContext } from 'ava';
import type { ArchiveConfig } from '../config.js';
import { ThreadPool } from '../pool/thread-pool.js';
import { WorkerThreadArchive } from '../worker-thread-archive.js';

/** A driver of its own, which is stopped when the test is over. */
export function openArchive(
  t: ExecutionContext,
  {
    launcher = new SpawnLauncher(),
    idMappings = identityMappings,
    ...config
  }: Partial<ArchiveConfig> & { readonly launcher?: Launcher; readonly idMappings?: IdMappings } = {},
): WorkerThreadArchive & Pick<ThreadPool, 'stop' | 'onIdle'> {
  const pool = new ThreadPool({ idleSeconds: 60, stallSeconds: 30, ...config }, idMappings);
  t.teardown(() => pool.stop());
  return Object.assign(new WorkerThreadArchive(pool, launcher), {
    stop: () => pool.stop(),
    onIdle: () => pool.onIdle(),
  });
}

/** One driver for all tests of a file: to start its threads takes longer than most of them. They end with the file. */
export const sharedArchive = new WorkerThreadArchive(
  new ThreadPool({ idleSeconds: 60, stallSeconds: 30 }, identityMappings),
  new SpawnLauncher(),
);
