import { execFile } from 'node:child_process';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a reboot takes: processes, mounts, control groups, the bridge and the run directory. */
export async function loseEverything(daemon: { readonly directory: string; readonly name: string }): Promise<void> {
  const { directory, name } = daemon;
  for (let round = 0; round < 100; round++) {
    const left = [...(await processesNaming(directory)), ...(await processesInGroups(name))];
    if (left.length === 0) break;
    for (const pid of left) kill(pid);
    await delay(20);
  }
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const target of mounts.filter((target) => target.startsWith(`${directory}/`)).reverse()) {
    await run('umount', ['--lazy', target]);
  }
  for (const group of await groupsOf(name)) await rmdir(group).catch(() => undefined);
  await run('ip', ['link', 'delete', name]).catch(() => undefined);
  await run('nft', ['delete', 'table', 'inet', name]).catch(() => undefined);
  await run('nft', ['delete', 'table', 'ip', name]).catch(() => undefined);
  await rm(path.join(directory, 'run'), { recursive: true, force: true });
}

/** Monitors and runtimes: they have a path of the daemon in their arguments. */
export async function processesNaming(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (line.includes(text) && pid !== process.pid) found.push(pid);
  }
  return found;
}

async function processesInGroups(name: string): Promise<readonly number[]> {
  const lists = await Promise.all(
    (await groupsOf(name)).map((group) => readFile(path.join(group, 'cgroup.procs'), 'utf8').catch(() => '')),
  );
  return [...new Set(lists.flatMap((list) => list.split('\n').filter(Boolean).map(Number)))];
}

/** The daemon's control groups in every hierarchy, the innermost first. */
async function groupsOf(name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const controller of await readdir('/sys/fs/cgroup').catch(() => [])) {
    const top = path.join('/sys/fs/cgroup', controller, name);
    const inside = await readdir(top, { withFileTypes: true }).catch(() => undefined);
    if (inside === undefined) continue;
    found.push(...inside.filter((entry) => entry.isDirectory()).map((entry) => path.join(top, entry.name)), top);
  }
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
