import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually, type Scope } from '@gantry/test-nodes';
import { freeSpace, takeSpace } from './disk-space.js';

const run = promisify(execFile);

/** How long a slow disk takes writes each time. */
const writableMilliseconds = 20;

/**
 * A file system for a data root that can be made full or slow, and its writes to fail or hang. It is a file behind a loop device: while the file
 * is immutable, the kernel reports input/output errors.
 */
export class FailingDisk {
  private constructor(
    readonly directory: string,
    private readonly file: string,
  ) {}

  static async mount(scope: Scope, mebibytes: number): Promise<FailingDisk> {
    // A short path: those of sockets below it have a limit.
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-disk-'));
    scope.teardown(() => rmdir(directory));
    const file = `${directory}.ext4`;
    scope.teardown(() => rm(file));
    const handle = await open(file, 'w');
    await handle.truncate(mebibytes * 2 ** 20);
    await handle.close();
    await run('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0', file]);
    await run('mount', ['-o', 'loop', file, directory]);
    const disk = new FailingDisk(directory, file);
    scope.teardown(async () => {
      await disk.repair();
      await run('fsfreeze', ['-u', directory]).catch(() => undefined);
      await unmount(directory);
    });
    return disk;
  }

  /** Makes writes fail until `repair` and `remount`. Reads still succeed. */
  async fail(): Promise<void> {
    await run('chattr', ['+i', this.file]);
  }

  async repair(): Promise<void> {
    await run('chattr', ['-i', this.file]);
  }

  /**
   * Mounts the file system again, like a reboot: unwritten data is lost. It must not be in use. A copy, for a mount namespace
   * that another test has made meanwhile keeps the file system that failed, and the kernel would mount that one.
   */
  async remount(): Promise<void> {
    await unmount(this.directory);
    const copy = `${this.file}.copy`;
    await run('cp', ['--sparse=always', this.file, copy]);
    await rename(copy, this.file);
    await run('mount', ['-o', 'loop', this.file, this.directory]);
  }

  /** Makes writes hang until `resume`. */
  async hang(): Promise<void> {
    await run('fsfreeze', ['-f', this.directory]);
  }

  async resume(): Promise<void> {
    await run('fsfreeze', ['-u', this.directory]);
  }

  /**
   * Makes each write, and so each flush of what was written, wait for up to so many milliseconds.
   * @returns ends it.
   */
  slowDown(milliseconds: number): () => Promise<void> {
    let isEnded = false;
    const hanging = (async () => {
      while (!isEnded) {
        await this.hang();
        await delay(milliseconds);
        await this.resume();
        await delay(writableMilliseconds);
      }
    })();
    return async () => {
      isEnded = true;
      await hanging;
    };
  }

  /** Takes every byte there is. */
  fill(): Promise<void> {
    return takeSpace(this.directory);
  }

  /** Frees them. */
  empty(): Promise<void> {
    return freeSpace(this.directory);
  }
}

/** Lazily unmounted file systems stay busy until the last process has left them. */
async function unmount(directory: string): Promise<void> {
  await eventually('the disk is not in use', () =>
    run('umount', [directory]).then(
      () => true,
      () => false,
    ),
  );
}

/**
 * Makes all calls of a process that flush data fail with an input/output error.
 * @returns ends it.
 */
export async function refuseToSync(pid: number): Promise<() => Promise<void>> {
  const calls = 'fsync,fdatasync,syncfs';
  const tracer = spawn('strace', ['-f', '-p', `${pid}`, '-e', `inject=${calls}:error=EIO`, '-e', `trace=${calls}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(tracer, 'exit');
  const attached = once(tracer.stderr, 'data');
  await Promise.race([attached, gone.then(() => Promise.reject(new Error('strace did not attach')))]);
  tracer.stderr.resume();
  return async () => {
    tracer.kill('SIGTERM');
    await gone;
  };
}
