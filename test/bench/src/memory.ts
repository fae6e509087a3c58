import { readdir, readFile, readlink } from 'node:fs/promises';

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Processes that see the host's processes, as those of containers do not. */
async function hostProcesses(): Promise<readonly number[]> {
  const own = await readlink('/proc/self/ns/pid');
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const kept = await Promise.all(
    all.map(async (name) => (await readlink(`/proc/${name}/ns/pid`).catch(() => '')) === own),
  );
  return all.filter((_, index) => kept[index]).map(Number);
}

/** MiB of memory, shared pages counted by the share of each: what `Pss` means. */
async function proportionalSize(pids: Iterable<number>): Promise<number> {
  const sizes = await Promise.all(
    [...pids].map(async (pid) => Number(/^Pss:\s*(\d+)/m.exec(await text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** A daemon and every process below it. */
async function tree(root: number): Promise<ReadonlySet<number>> {
  const children = new Map<number, number[]>();
  for (const pid of await hostProcesses()) {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(await text(`/proc/${pid}/status`))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = new Set<number>([root]);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return found;
}

/** Memory of an engine: its daemon, what runs below it, and what it lets run by itself, such as monitors of containers. */
export class EngineMemory {
  private constructor(
    private readonly daemon: number,
    private readonly before: ReadonlySet<number>,
  ) {}

  /** Whatever starts from now on, containers aside, counts as the engine's. */
  static async from(daemon: number): Promise<EngineMemory> {
    return new EngineMemory(daemon, new Set(await hostProcesses()));
  }

  /** MiB. */
  async now(): Promise<number> {
    const pids = new Set(await tree(this.daemon));
    for (const pid of await hostProcesses()) if (!this.before.has(pid) && pid !== process.pid) pids.add(pid);
    return proportionalSize(pids);
  }
}
