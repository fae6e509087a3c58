import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from '@gantry/core/errors';
import type { Files } from '@gantry/lib-linux/files';

/** Injects the lock on the state directory. */
export const RootLock = Symbol('gantry.state-lmdb.root-lock');

/** Keeps other processes from a directory until it is released or the process ends. */
export interface RootLock {
  release(): void;
}

/** @throws EngineError `unavailable` naming the process that holds it. */
export function lockRoot(files: Files, path: string): RootLock {
  const lock = files.lockFile(path);
  if (lock === undefined) {
    const pid = readFileSync(path, 'utf8').trim() || 'unknown';
    throw unavailable(`the state in ${dirname(path)} is in use by the process ${pid} (lock ${path})`);
  }
  ftruncateSync(lock.fd);
  writeSync(lock.fd, `${process.pid}\n`, 0);
  return lock;
}
