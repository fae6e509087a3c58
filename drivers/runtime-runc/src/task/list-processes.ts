import type { ProcessTable } from '@gantry/core/contracts';
import { internal, invalidArgument } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import type { RunResult } from '@gantry/lib-linux/launcher';
import type { RuntimeContext } from '../context.js';
import { withDeadline } from '../deadline.js';
import { checkArguments, parseProcessTable } from './process-table.js';
import type { Task } from './task.js';

/** Host process ids, the first process first. */
export async function processesOf(context: RuntimeContext, task: Task): Promise<readonly number[]> {
  const { record } = task.living;
  const group = await context.ports.cgroups.group(record.cgroup);
  const all = await group.processes({ recursive: true });
  const { pid } = record.first;
  return [pid, ...all.filter((other) => other !== pid)];
}

/** Has ps print them. */
export async function listProcesses(
  context: RuntimeContext,
  task: Task,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<ProcessTable> {
  checkArguments(args);
  const pids = await processesOf(context, task);
  const milliseconds = context.config.deadlines.control;
  const result = await withDeadline({ who: 'ps', what: `list ${task.id}`, milliseconds, signal }, (ending) =>
    runPs(context, args, pids, ending),
  );
  if (result.code !== 0) {
    const said = result.stderr.toString().trim() || `exit code ${result.code ?? `of signal ${result.signal}`}`;
    throw invalidArgument(`ps: ${said}`);
  }
  return parseProcessTable(result.stdout.toString(), new Set(pids));
}

/** Asks for these processes alone, which costs little on a full host, and for all where the arguments rule that out. */
async function runPs(
  { ports }: RuntimeContext,
  args: readonly string[],
  pids: readonly number[],
  signal: AbortSignal,
): Promise<RunResult> {
  const run = (more: readonly string[]) => ports.launcher.run('ps', [...args, ...more], { signal });
  try {
    const result = await run(['-q', pids.join(',')]);
    return result.code === 0 ? result : await run([]);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw internal('ps is not installed on this host', { cause: error });
    throw error;
  }
}
