import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeContext } from '../context.js';
import { withDeadline } from '../deadline.js';
import { ifThere } from '../errno.js';
import type { TaskLayout } from '../layout.js';
import { processesOfBundle } from '../monitor/find-monitors.js';
import { SIGKILL } from './kill-task.js';
import { purge } from './purge.js';

/**
 * Takes away what is left of a task whose `create` was cut at any point: a monitor or runtime that goes on preparing
 * it, processes, the cgroup, the runtime's state. The directory itself stays.
 */
export async function removeBroken(
  context: RuntimeContext,
  id: string,
  layout: TaskLayout,
  cgroup?: string,
): Promise<void> {
  const { config, ports } = context;
  const catalog = await context.catalog.settled();
  const deadline = { who: 'the runtime', what: `give up ${id}`, milliseconds: config.deadlines.exit };
  await withDeadline(deadline, async (signal) => {
    await killForBundle(context, layout, signal);
    const group = cgroup ?? (await cgroupOfBundle(layout)) ?? `${config.cgroupParent}/${id}`;
    const request = {
      id,
      runtimeRoot: context.layout.runtimeRoot,
      runtimeState: layout.runtimeState,
      cgroup: group,
      byRuntime: false,
      signal,
    };
    for (const runtime of catalog.all) {
      // Nobody knows where those keep their state but themselves; they fail when the task is not theirs.
      if (runtime.kind === 'other') await purge(ports, { ...request, runtime });
    }
    await purge(ports, { ...request, runtime: { ...catalog.standard, kind: 'runc' } });
  });
}

/** Kills until two looks in a row find nothing, for a monitor may have been about to start the runtime. */
async function killForBundle(context: RuntimeContext, { directory }: TaskLayout, signal: AbortSignal): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    const found = await processesOfBundle(directory);
    calm = found.length === 0 ? calm + 1 : 0;
    for (const pid of found) context.ports.processes.kill(pid, SIGKILL);
    if (found.length > 0) await delay(2, undefined, { signal });
  }
}

async function cgroupOfBundle({ bundle }: TaskLayout): Promise<string | undefined> {
  const text = await ifThere(readFile(bundle, 'utf8'));
  if (text === undefined) return undefined;
  try {
    const path: unknown = (JSON.parse(text) as { linux?: { cgroupsPath?: unknown } }).linux?.cgroupsPath;
    return typeof path === 'string' ? path : undefined;
  } catch {
    // Cut while it was written, so nothing had been started yet.
    return undefined;
  }
}
