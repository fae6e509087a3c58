import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable } from '@gantry/core/driver';
import { Processes } from '@gantry/lib-linux/processes';
import { CgroupPlacement, cgroupOf } from '../cgroups/cgroup-placement.js';
import { ifPresent } from '../if-present.js';
import { Layout, type TaskLayout } from '../layout.js';
import { processesOfBundle } from '../monitor/processes-of-bundle.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import { SIGKILL } from '../process-identity.js';
import { LazyCatalog } from '../runtime/lazy-catalog.js';
import { TaskResources } from './task-resources.js';

/** Removes a task whose `create` was interrupted at any point. */
@injectable()
export class RemoveBrokenTask {
  constructor(
    @inject(CgroupPlacement) private readonly placement: Pick<CgroupPlacement, 'place'>,
    @inject(Layout) private readonly layout: Layout,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(LazyCatalog) private readonly catalog: LazyCatalog,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(TaskResources) private readonly resources: TaskResources,
  ) {}

  /** Kills monitors and runtimes that still work on it, and removes all but its directory. */
  async remove(id: string, knownCgroup?: string): Promise<void> {
    const layout = this.layout.task(id);
    const catalog = await this.catalog.ready();
    await this.deadlines.run({ deadline: 'exit', who: 'the runtime', what: `give up ${id}` }, async (signal) => {
      await this.#killForBundle(layout, signal);
      const cgroup = knownCgroup ?? (await cgroupOfBundle(layout)) ?? this.placement.place(id).path;
      const request = { id, cgroup, byRuntime: false, signal };
      for (const runtime of catalog.all) {
        // Only the runtime itself knows where it keeps its state; it fails when the task is not its own.
        if (runtime.kind === 'other') await this.resources.remove({ ...request, runtime });
      }
      await this.resources.remove({ ...request, runtime: { ...catalog.standard, kind: 'runc' } });
    });
  }

  /** Kills until two scans in a row find nothing, because a monitor may have been about to start the runtime. */
  async #killForBundle({ directory }: TaskLayout, signal: AbortSignal): Promise<void> {
    for (let emptyScans = 0; emptyScans < 2; ) {
      const found = await processesOfBundle(directory);
      emptyScans = found.length === 0 ? emptyScans + 1 : 0;
      for (const pid of found) this.processes.kill(pid, SIGKILL);
      if (found.length > 0) await delay(2, undefined, { signal });
    }
  }
}

async function cgroupOfBundle({ bundle }: TaskLayout): Promise<string | undefined> {
  const text = await ifPresent(readFile(bundle, 'utf8'));
  if (text === undefined) return undefined;
  try {
    const path: unknown = (JSON.parse(text) as { linux?: { cgroupsPath?: unknown } }).linux?.cgroupsPath;
    return typeof path === 'string' ? cgroupOf(path) : undefined;
  } catch {
    // The write was interrupted, so nothing had been started yet.
    return undefined;
  }
}
