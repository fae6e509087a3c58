import type { ExecProcess, ExecRequest, ProcessTable, TaskProcesses } from '@gantry/core/contracts';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { ListProcesses } from '../task/list-processes.js';
import { TaskRegistry } from '../task/task-registry.js';
import type { RunningExec } from './running-exec.js';
import { StartExec } from './start-exec.js';

/** The processes in the cgroups of tasks. */
@injectable()
export class CgroupProcesses implements TaskProcesses {
  readonly #execs = new Set<RunningExec>();

  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(StartExec) private readonly startExec: StartExec,
    @inject(ListProcesses) private readonly listProcesses: ListProcesses,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.#abandon());
  }

  async exec(id: string, request: ExecRequest, options: { readonly signal?: AbortSignal } = {}): Promise<ExecProcess> {
    const exec = await this.startExec.start(this.registry.get(id), request, options.signal);
    this.#execs.add(exec);
    void exec.finished.then(() => this.#execs.delete(exec));
    return exec;
  }

  async list(id: string): Promise<readonly number[]> {
    return this.listProcesses.pids(this.registry.get(id));
  }

  async table(
    id: string,
    args: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ProcessTable> {
    return this.listProcesses.table(this.registry.get(id), args, options.signal);
  }

  /** Closes the streams of execs, which continue. */
  #abandon(): void {
    for (const exec of this.#execs) exec.abandon();
  }
}
