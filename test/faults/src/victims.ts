import { readdir, readFile } from 'node:fs/promises';
import type { ContainerSummary } from './wire.js';
import type { World } from './world.js';

/** Who dies at a crash point of the daemon: it, its etcd, or the monitor of the container of a task. */
export type Victim = 'daemon' | 'etcd' | 'monitor';

/** Undefined for the daemon itself. Rejects when there is no such process. */
export async function victimOf(victim: Victim, world: World): Promise<number | undefined> {
  if (victim === 'daemon') return undefined;
  const pid = victim === 'etcd' ? await etcdOf(world) : await monitorOf(world);
  if (pid === undefined) throw new Error(`there is no ${victim} to kill`);
  return pid;
}

/** The etcd of the swarm that the world's daemon is in. */
export const etcdOf = ({ daemon }: Pick<World, 'daemon'>): Promise<number | undefined> =>
  findProcess((words) => /(^|\/)etcd$/.test(words[0] ?? '') && words.some((word) => word.startsWith(daemon.directory)));

async function monitorOf({ must }: World): Promise<number | undefined> {
  const filters = encodeURIComponent(JSON.stringify({ label: ['com.docker.swarm.task'] }));
  const [first] = await must<ContainerSummary[]>('GET', `/containers/json?filters=${filters}`);
  if (first === undefined) return undefined;
  return findProcess((words) => /(^|\/)conmon$/.test(words[0] ?? '') && words.includes(first.Id));
}

async function findProcess(matches: (words: readonly string[]) => boolean): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (matches(line.split('\0'))) return Number(pid);
  }
  return undefined;
}
