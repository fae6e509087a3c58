import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { unavailable } from '@gantry/core/errors';
import type { Files } from '@gantry/lib-linux/files';

/** Injects the lock on the directories of the engine. */
export const RootLock = Symbol('gantry.state-lmdb.root-lock');

/** Keeps other processes from the directories until it is released or the process ends. */
export interface RootLock {
  release(): void;
}

/** The lock files, by the key of the configuration that names the directory. */
type LockFiles = Readonly<Record<'dataRoot' | 'execRoot', string>>;

/**
 * Locks both directories: engines with different mappings of ids have different data roots below the configured one, and
 * would still use the same sockets, mounts and process ids.
 * @throws EngineError `unavailable` naming the key and the process that holds it.
 */
export function lockRoots(files: Files, { dataRoot, execRoot }: LockFiles): RootLock {
  const data = lockRoot(files, 'dataRoot', dataRoot);
  try {
    const exec = lockRoot(files, 'execRoot', execRoot);
    return {
      release() {
        exec.release();
        data.release();
      },
    };
  } catch (error) {
    data.release();
    throw error;
  }
}

function lockRoot(files: Files, key: keyof LockFiles, path: string): RootLock {
  const lock = files.lockFile(path);
  if (lock === undefined) {
    const pid = readFileSync(path, 'utf8').trim() || 'unknown';
    throw unavailable(`the ${key} of this engine is in use by the process ${pid} (lock ${path})`);
  }
  ftruncateSync(lock.fd);
  writeSync(lock.fd, `${process.pid}\n`, 0);
  return lock;
}
