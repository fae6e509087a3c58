import type { ProcessTable } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { internal, invalidArgument } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { Launcher, type RunResult } from '@gantry/lib-linux/launcher';
import { OperationDeadlines } from '../operation-deadlines.js';
import { checkArguments, parseProcessTable } from './process-table.js';
import type { Task } from './task.js';
import { TaskMembers } from './task-members.js';

/** Lists the processes of tasks. */
@injectable()
export class ListProcesses {
  constructor(
    @inject(TaskMembers) private readonly members: TaskMembers,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
  ) {}

  /** Host process ids, the first process first. */
  async pids(task: Task): Promise<readonly number[]> {
    const { record } = task.living;
    const all = await this.members.list(record);
    const { pid } = record.first;
    return [pid, ...all.filter((other) => other !== pid)];
  }

  /** As ps prints them. */
  async table(task: Task, args: readonly string[], outer?: AbortSignal): Promise<ProcessTable> {
    checkArguments(args);
    const pids = await this.pids(task);
    const operation = { deadline: 'control', who: 'ps', what: `list ${task.id}`, signal: outer } as const;
    const result = await this.deadlines.run(operation, (signal) => this.#runPs(args, pids, signal));
    if (result.code !== 0) {
      const reason = result.stderr.toString().trim() || `exit code ${result.code ?? `of signal ${result.signal}`}`;
      throw invalidArgument(`ps: ${reason}`);
    }
    return parseProcessTable(result.stdout.toString(), new Set(pids));
  }

  /** Selects these processes, which is cheap on a full host; lists all where the arguments conflict with that. */
  async #runPs(args: readonly string[], pids: readonly number[], signal: AbortSignal): Promise<RunResult> {
    const run = (more: readonly string[]) => this.launcher.run('ps', [...args, ...more], { signal });
    try {
      const result = await run(['-q', pids.join(',')]);
      return result.code === 0 ? result : await run([]);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) throw internal('ps is not installed on this host', { cause: error });
      throw error;
    }
  }
}
