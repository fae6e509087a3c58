import { mkdir, writeFile } from 'node:fs/promises';
import type { ExecRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { Processes } from '@gantry/lib-linux/processes';
import { DirectoryRemoval } from '../directory-removal.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import type { Task } from '../task/task.js';
import { ExecForms } from './exec-forms.js';
import { execLayout } from './exec-layout.js';
import type { ExecStart } from './exec-start.js';
import { RunningExec, type StartedExec } from './running-exec.js';
import { StartMonitoredExec } from './start-monitored-exec.js';
import { StartPipedExec } from './start-piped-exec.js';

/** The execs of one task. */
interface TaskExecs {
  /** Ids of execs that have not ended. */
  readonly running: Set<string>;
  /** By the ids of execs that have: the removal of their files. */
  readonly removals: Map<string, Promise<void>>;
}

/** Starts further processes in tasks. */
@injectable()
export class StartExec {
  readonly #execs = new WeakMap<Task, TaskExecs>();

  constructor(
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(ExecForms) private readonly forms: ExecForms,
    @inject(StartMonitoredExec) private readonly monitored: StartMonitoredExec,
    @inject(StartPipedExec) private readonly piped: StartPipedExec,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(DirectoryRemoval) private readonly removal: DirectoryRemoval,
  ) {}

  async start(task: Task, request: ExecRequest, outer?: AbortSignal): Promise<RunningExec> {
    const { execId } = request;
    const execs = this.#execsOf(task);
    const { status } = task.living;
    if (status === 'paused') throw conflict(`Container ${task.id} is paused, unpause the container before exec`);
    if (status === 'created') throw conflict(`Container ${task.id} is not running`);
    if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(execId)) throw invalidArgument(`"${execId}" is not an exec id`);
    if (execs.running.has(execId)) throw conflict(`exec ${execId} exists already`);
    execs.running.add(execId);
    const layout = execLayout(task, execId);
    const remove = async (): Promise<void> => {
      execs.running.delete(execId);
      const removal = this.removal.remove(layout.directory).finally(() => execs.removals.delete(execId));
      execs.removals.set(execId, removal);
      await removal;
    };
    const operation = { deadline: 'exec', who: 'the runtime', what: `exec in ${task.id}` } as const;
    try {
      const started = await this.deadlines.run({ ...operation, signal: outer, awaitsWork: true }, async (signal) => {
        await execs.removals.get(execId)?.catch(() => undefined);
        await mkdir(layout.directory, { recursive: true, mode: 0o700 });
        await writeFile(layout.process, JSON.stringify(request.process));
        crashPoint('runtime.exec.written');
        signal.throwIfAborted();
        return this.forms.start(task.living.record.runtime, (runtime) =>
          this.#start({ task, runtime, request, layout, signal }),
        );
      });
      crashPoint('runtime.exec.started');
      return new RunningExec(this.processes, started, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /**
   * A process gets a monitor, which is small and survives the daemon. Only crun can do without as well: with an attached
   * client it waits for the process itself, which saves the start of the monitor. (runc copies the output when it waits,
   * and goes on as long as any process holds the pipes.)
   */
  #start(exec: ExecStart): Promise<StartedExec> {
    const { request, runtime } = exec;
    const isPiped = !request.detached && request.process.terminal !== true;
    return isPiped && runtime.kind === 'crun' ? this.piped.start(exec) : this.monitored.start(exec);
  }

  #execsOf(task: Task): TaskExecs {
    const known = this.#execs.get(task) ?? { running: new Set(), removals: new Map() };
    this.#execs.set(task, known);
    return known;
  }
}
