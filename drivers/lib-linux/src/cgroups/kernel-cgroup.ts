import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno, LinuxError } from '../errors/linux-error.js';
import { kernelProcesses } from '../processes/kernel-processes.js';
import { processesOf, readText, removeTree, writeText } from './cgroup-files.js';
import type { Cgroup, CgroupStatistics, Controller } from './cgroups.js';
import { createGroup } from './create-group.js';
import type { CompleteLayout, Hierarchy } from './read-layout.js';
import { readStatistics } from './read-statistics.js';

const SIGKILL = 9;
/** For those who set no deadline of their own, in ms. */
const longestKill = 10_000;

/** Waits between looks at something that is usually done at once. */
async function* patiently(signal?: AbortSignal): AsyncGenerator<void> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    signal?.throwIfAborted();
    yield;
    await delay(pause, undefined, signal === undefined ? {} : { signal });
  }
}

/** A group in each hierarchy that its controllers are in. */
export class KernelCgroup implements Cgroup {
  constructor(
    readonly path: string,
    private readonly layout: CompleteLayout,
    /** Where it is in a hierarchy, from the mount point. */
    private readonly place: (hierarchy: Hierarchy) => string,
  ) {}

  directory(controller: Controller): string | undefined {
    const found = this.layout.controllers.get(controller);
    const hierarchy = this.layout.hierarchies.find(({ mount }) => mount === found?.mount);
    return hierarchy === undefined ? undefined : join(hierarchy.mount, this.place(hierarchy));
  }

  directories(): readonly string[] {
    return this.layout.hierarchies.map((hierarchy) => join(hierarchy.mount, this.place(hierarchy)));
  }

  async exists(): Promise<boolean> {
    const found = await Promise.all(
      this.directories().map((directory) =>
        access(directory).then(
          () => true,
          () => false,
        ),
      ),
    );
    return found.includes(true);
  }

  async create(): Promise<void> {
    for (const hierarchy of this.layout.hierarchies) await createGroup(hierarchy, this.place(hierarchy));
  }

  async add(pid: number): Promise<void> {
    for (const directory of this.directories()) await writeText(join(directory, 'cgroup.procs'), pid);
  }

  async processes(options: { readonly recursive?: boolean } = {}): Promise<readonly number[]> {
    const lists = await Promise.all(
      this.directories().map((directory) => processesOf(directory, options.recursive ?? false)),
    );
    return [...new Set(lists.flat())].sort((one, other) => one - other);
  }

  async read(controller: Controller, file: string): Promise<string | undefined> {
    const directory = this.directory(controller);
    return directory === undefined ? undefined : readText(join(directory, file));
  }

  async write(controller: Controller, file: string, value: string | number): Promise<void> {
    const directory = this.directory(controller);
    if (directory === undefined) {
      throw new LinuxError('ENOENT', 'cgroup', { path: this.path, detail: `the host has no ${controller} controller` });
    }
    await writeText(join(directory, file), value);
  }

  async freeze(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { signal } = options;
    try {
      for await (const _ of patiently(signal)) {
        // Version 1 may get stuck half-way when a process forks at the wrong moment; asking again helps.
        await this.#setFrozen(true);
        if (await this.isFrozen()) return;
      }
    } catch (error) {
      if (signal?.aborted === true) await this.thaw();
      throw error;
    }
  }

  async thaw(): Promise<void> {
    await this.#setFrozen(false);
  }

  async isFrozen(): Promise<boolean> {
    if (this.#freezerVersion() === 1) return (await this.read('freezer', 'freezer.state')) === 'FROZEN';
    return /^frozen 1$/m.test((await this.read('freezer', 'cgroup.events')) ?? '');
  }

  async memoryKills(): Promise<number | undefined> {
    const isOld = this.layout.controllers.get('memory')?.version === 1;
    const counters = await this.read('memory', isOld ? 'memory.oom_control' : 'memory.events');
    if (counters === undefined) return undefined;
    return Number(/^oom_kill (\d+)$/m.exec(counters)?.[1] ?? 0);
  }

  async killAll(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const deadline = Date.now() + longestKill;
    for await (const _ of patiently(options.signal)) {
      const processes = await this.processes({ recursive: true });
      if (processes.length === 0) return;
      if (options.signal === undefined && Date.now() > deadline) {
        throw new LinuxError('ETIMEDOUT', 'cgroup.kill', { path: this.path, detail: `${processes.length} processes` });
      }
      for (const pid of processes) kernelProcesses.kill(pid, SIGKILL);
      // A frozen process of version 1 dies only once it is thawed.
      if (this.#freezerVersion() === 1) {
        await this.thaw().catch((error: unknown) => {
          if (!isErrno(error, 'ENOENT', 'ENODEV')) throw error;
        });
      }
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.directories().map(removeTree));
  }

  statistics(): Promise<CgroupStatistics> {
    return readStatistics(this, (controller) => this.layout.controllers.get(controller)?.version);
  }

  #freezerVersion(): 1 | 2 | undefined {
    return this.layout.controllers.get('freezer')?.version;
  }

  async #setFrozen(frozen: boolean): Promise<void> {
    if (this.#freezerVersion() === 1) {
      await this.write('freezer', 'freezer.state', frozen ? 'FROZEN' : 'THAWED');
    } else {
      await this.write('freezer', 'cgroup.freeze', frozen ? 1 : 0);
    }
  }
}
