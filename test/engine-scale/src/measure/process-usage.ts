import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { processesNaming } from '@gantry/test-nodes';
import type { MeasuredEngine } from '../engines/measured-engine.js';

/** MiB. */
export interface MemoryUse {
  /** Resident, of the daemon and the processes it has started and not left: their proportional set size. */
  readonly resident: number;
  /** Of it what is not of a file: heaps and stacks. */
  readonly anonymous: number;
}

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const field = (of: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(of)?.[1] ?? 0) / 1024;

async function useOf(pids: readonly number[]): Promise<MemoryUse> {
  const rollups = await Promise.all(pids.map((pid) => text(`/proc/${pid}/smaps_rollup`)));
  const sum = (name: string): number => rollups.reduce((total, rollup) => total + field(rollup, name), 0);
  return { resident: sum('Pss'), anonymous: sum('Pss_Anon') };
}

/** A process and its descendants. */
async function tree(root: number): Promise<readonly number[]> {
  const children = new Map<number, number[]>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(await text(`/proc/${pid}/status`))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = new Set([root]);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

const quietSeconds = 6;
const mostSeconds = 30;

/** The memory of the daemon once it changes no more: an idle daemon returns what it does not need after some seconds. */
export async function settledMemory({ pid }: MeasuredEngine): Promise<MemoryUse> {
  const pids = await tree(pid);
  let least = await useOf(pids);
  for (let second = 0, quiet = 0; second < mostSeconds && quiet < quietSeconds; second += 1) {
    await delay(1000);
    const use = await useOf(pids);
    quiet = use.anonymous < least.anonymous - 0.5 ? 0 : quiet + 1;
    if (use.anonymous < least.anonymous) least = use;
  }
  return least;
}

/** Of the processes that look after containers and are not the daemon's. */
export async function memoryOfMonitors({ directory, pid }: MeasuredEngine): Promise<MemoryUse> {
  const own = new Set(await tree(pid));
  return useOf((await processesNaming(`${directory}/`)).filter((each) => !own.has(each)));
}
