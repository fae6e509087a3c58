import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, type Scope } from '@gantry/host';

const run = promisify(execFile);

/**
 * A disk of its own, for a data root, that can refuse what is written to it, or hang. It is a file behind a loop device:
 * nobody can write to a file that is immutable, and the kernel tells those above of an input/output error.
 */
export class FailingDisk {
  private constructor(
    readonly directory: string,
    private readonly file: string,
  ) {}

  static async mount(scope: Scope, mebibytes: number): Promise<FailingDisk> {
    const place = await mkdtemp(path.join(tmpdir(), 'gantry-failing-'));
    scope.teardown(() => rm(place, { recursive: true }));
    const file = path.join(place, 'disk');
    const handle = await open(file, 'w');
    await handle.truncate(mebibytes * 2 ** 20);
    await handle.close();
    await run('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0', file]);
    const directory = path.join(place, 'disk.d');
    await run('mkdir', [directory]);
    await run('mount', ['-o', 'loop', file, directory]);
    const disk = new FailingDisk(directory, file);
    scope.teardown(async () => {
      await disk.mend();
      await run('fsfreeze', ['-u', directory]).catch(() => undefined);
      await unmount(directory);
    });
    return disk;
  }

  /** From now on nothing reaches the disk, until it is mounted again. What is on it can still be read. */
  async fail(): Promise<void> {
    await run('chattr', ['+i', this.file]);
  }

  async mend(): Promise<void> {
    await run('chattr', ['-i', this.file]);
  }

  /** As a boot does: what had not reached the disk is gone. Nobody may use it. */
  async mountAgain(): Promise<void> {
    await unmount(this.directory);
    await run('mount', ['-o', 'loop', this.file, this.directory]);
  }

  /** Whoever writes waits until `goOn`. */
  async hang(): Promise<void> {
    await run('fsfreeze', ['-f', this.directory]);
  }

  async goOn(): Promise<void> {
    await run('fsfreeze', ['-u', this.directory]);
  }
}

/** Mounts that were taken away lazily keep the disk busy until the last of their processes is gone. */
async function unmount(directory: string): Promise<void> {
  await eventually('nobody uses the disk', () =>
    run('umount', [directory]).then(
      () => true,
      () => false,
    ),
  );
}

/**
 * Lets all calls of a process that are to make something durable fail with an input/output error, as long as wanted.
 * @returns lets them succeed again.
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
