import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { shareTmpfs } from './share-tmpfs.js';

/** A process with mounts of its own, which sees a tmpfs at `directory`. Needs CAP_SYS_ADMIN. */
async function withTmpfs(t: ExecutionContext, directory: string): Promise<number> {
  const script = `mount -t tmpfs tmpfs ${directory} && echo mounted && exec sleep 1000`;
  const child = spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the tmpfs could not be mounted')));
  });
  return child.pid ?? 0;
}

test('a tmpfs is shared between processes, and descriptors of other threads stay open', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-tmpfs-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const [from, to] = [await withTmpfs(t, directory), await withTmpfs(t, directory)];
  closeSync(openSync(`/proc/${from}/root${directory}/mark`, 'w'));
  // What the thread closes twice, another one may have been given meanwhile.
  const held = new Set<number>();
  const timer = setInterval(() => held.add(openSync('/dev/null', 'r')), 1);
  for (let round = 0; round < 5; round += 1) await shareTmpfs({ from, to, path: directory });
  clearInterval(timer);
  const lost = [...held].filter((fd) => !isOpen(fd));
  for (const fd of held) if (!lost.includes(fd)) closeSync(fd);
  t.deepEqual(lost, []);
  closeSync(openSync(`/proc/${to}/root${directory}/mark`, 'r'));
});

function isOpen(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}
