import { readdir, readFile, readlink } from 'node:fs/promises';

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Processes in the host's PID namespace, which excludes those of containers. */
async function hostProcesses(): Promise<readonly number[]> {
  const own = await readlink('/proc/self/ns/pid');
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const kept = await Promise.all(
    all.map(async (name) => (await readlink(`/proc/${name}/ns/pid`).catch(() => '')) === own),
  );
  return all.filter((_, index) => kept[index]).map(Number);
}

/** The proportional set size (`Pss`) of processes in MiB. */
async function proportionalSize(pids: Iterable<number>): Promise<number> {
  const sizes = await Promise.all(
    [...pids].map(async (pid) => Number(/^Pss:\s*(\d+)/m.exec(await text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** A daemon and its descendants. */
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

/** The memory of an engine: its daemon, the daemon's descendants, and detached processes such as container monitors. */
export class EngineMemory {
  private constructor(
    private readonly daemon: number,
    private readonly before: ReadonlySet<number>,
  ) {}

  /** Processes started from now on count as the engine's, except those of containers. */
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
