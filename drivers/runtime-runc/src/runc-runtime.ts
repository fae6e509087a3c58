import type {
  ExecProcess,
  ExecRequest,
  OciResources,
  ProcessTable,
  RuntimeCapabilities,
  RuntimeDescription,
  RuntimeDriver,
  TaskExit,
  TaskRequest,
  TaskStats,
  TaskStatus,
  TaskStreams,
  TerminalSize,
} from '@gantry/core/contracts';
import type { DriverLifecycle } from '@gantry/core/driver';
import { messageOf, notFound } from '@gantry/core/errors';
import { trimHeap } from '@gantry/lib-linux/processes';
import type { RuntimeContext } from './context.js';
import { withDeadline } from './deadline.js';
import type { RunningExec } from './exec/running-exec.js';
import { startExec } from './exec/start-exec.js';
import { removeParentCgroup } from './parent-cgroup.js';
import { attachTask } from './streams/attach-task.js';
import { checkDeletable, deleteTask } from './task/delete-task.js';
import { pauseTask, resumeTask } from './task/freeze-task.js';
import { killTask } from './task/kill-task.js';
import { listProcesses, processesOf } from './task/list-processes.js';
import { prepareTask } from './task/prepare-task.js';
import { readStats } from './task/read-stats.js';
import { recoverTasks } from './task/recover-tasks.js';
import { resizeTask } from './task/resize-task.js';
import { rotateSpool } from './task/rotate-spool.js';
import { startTask } from './task/start-task.js';
import type { Task } from './task/task.js';
import { TaskRegistry } from './task/task-registry.js';
import { updateTask } from './task/update-task.js';

/** How long after the start there is time for what nobody needs yet, in ms. */
const afterStart = 100;

/** OCI runtimes under conmon, one for each task and exec, so that both outlive the daemon. */
export class RuncRuntime implements RuntimeDriver, DriverLifecycle {
  readonly capabilities: RuntimeCapabilities;
  readonly #tasks: TaskRegistry;
  readonly #execs = new Set<RunningExec>();
  #proof: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: RuntimeContext,
    cgroups: RuntimeCapabilities['cgroups'],
  ) {
    this.capabilities = {
      pause: true,
      exec: true,
      update: true,
      stats: true,
      processTable: true,
      survivesDaemon: true,
      cgroups,
    };
    this.#tasks = new TaskRegistry(context);
  }

  async start(): Promise<void> {
    await this.context.memory.open();
    const found = await recoverTasks(this.context);
    for (const task of found) this.#tasks.add(task);
    await Promise.all(found.map((task) => this.#tasks.watch(task)));
  }

  /** Runtimes that have to prove themselves do so a moment later: whoever waits for the daemon is answered first. */
  async ready(): Promise<void> {
    this.#proof = setTimeout(() => this.context.catalog.begin(), afterStart);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#proof);
    await this.context.catalog.over();
    await this.#tidy();
    if (this.#isUnused()) await removeParentCgroup(this.context.ports, this.context.config.cgroupParent);
  }

  /** What threads and streams of tasks have left in the C library. */
  onIdle(): Promise<void> {
    return trimHeap();
  }

  /** Lets go of everything that is open. Tasks and execs go on. */
  release(): void {
    this.#tasks.release();
    for (const exec of this.#execs) exec.abandon();
  }

  async describe(): Promise<RuntimeDescription> {
    const { names, standard } = await this.context.catalog.settled();
    return { name: standard.name, path: standard.program ?? standard.path, version: standard.version, runtimes: names };
  }

  async create(request: TaskRequest, options: { readonly signal?: AbortSignal } = {}): Promise<TaskStatus> {
    if (!this.context.catalog.isKnown) await this.context.catalog.settled();
    try {
      return statusOf(await prepareTask(this.context, this.#tasks, request, options.signal));
    } catch (error) {
      await this.#tidy();
      throw error;
    }
  }

  startTask(id: string): Promise<void> {
    return this.#with(id, (task) => startTask(this.context, task));
  }

  kill(id: string, signal: number, options: { readonly all?: boolean } = {}): Promise<void> {
    return this.#with(id, (task) => killTask(this.context, task, signal, options.all ?? false));
  }

  pause(id: string): Promise<void> {
    return this.#with(id, (task) => pauseTask(this.context, task));
  }

  resume(id: string): Promise<void> {
    return this.#with(id, (task) => resumeTask(this.context, task));
  }

  update(id: string, resources: OciResources): Promise<void> {
    return this.#with(id, (task) => updateTask(this.context, task, resources));
  }

  async delete(id: string, options: { readonly force?: boolean } = {}): Promise<void> {
    const task = this.#tasks.find(id);
    if (task === undefined) return;
    await task.prepared;
    if (this.#tasks.find(id) !== task) return;
    checkDeletable(task, options.force ?? false);
    task.deleting ??= deleteTask(this.context, task)
      .then(() => this.#tasks.remove(task))
      .then(() => this.#tidy())
      .finally(() => {
        task.deleting = undefined;
      });
    await task.deleting;
  }

  async tasks(): Promise<readonly TaskStatus[]> {
    return this.#tasks.all().flatMap(({ status }) => status ?? []);
  }

  async status(id: string): Promise<TaskStatus> {
    return statusOf(this.#tasks.get(id));
  }

  onExit(listener: (exit: TaskExit) => void): () => void {
    return this.#tasks.exits.add(listener);
  }

  onOom(listener: (id: string) => void): () => void {
    return this.#tasks.memoryKills.add(listener);
  }

  attach(id: string): Promise<TaskStreams> {
    return this.#with(id, (task) => attachTask(this.context.ports, task));
  }

  async exec(id: string, request: ExecRequest, options: { readonly signal?: AbortSignal } = {}): Promise<ExecProcess> {
    const exec = await startExec(this.context, this.#tasks.get(id), request, options.signal);
    this.#execs.add(exec);
    void exec.finished.then(() => this.#execs.delete(exec));
    return exec;
  }

  resize(id: string, size: TerminalSize): Promise<void> {
    return this.#with(id, (task) => resizeTask(task, size));
  }

  processes(id: string): Promise<readonly number[]> {
    return this.#with(id, (task) => processesOf(this.context, task));
  }

  processTable(
    id: string,
    args: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ProcessTable> {
    return this.#with(id, (task) => listProcesses(this.context, task, args, options.signal));
  }

  stats(id: string): Promise<TaskStats> {
    return this.#with(id, (task) => readStats(this.context, task));
  }

  rotateSpool(id: string): Promise<string | undefined> {
    return this.#with(id, async (task) => {
      const milliseconds = this.context.config.deadlines.control;
      const deadline = { who: `the monitor of ${id}`, what: 'begin a new spool', milliseconds };
      task.rotating ??= withDeadline(deadline, (signal) => rotateSpool(task, signal)).finally(() => {
        task.rotating = undefined;
      });
      return task.rotating;
    });
  }

  #isUnused(): boolean {
    return this.#tasks.all().length === 0;
  }

  /** Takes away what only tasks need. Never rejects. */
  async #tidy(): Promise<void> {
    if (!this.#isUnused()) return;
    const { memory, layout, log } = this.context;
    await memory
      .leave(() => this.#isUnused())
      .catch((error: unknown) => {
        log.warn({ event: 'task.orphan', what: layout.memory, reason: messageOf(error) }, 'something is left over');
      });
  }

  /** Rejects, never throws, when there is no such task. */
  async #with<T>(id: string, work: (task: Task) => Promise<T>): Promise<T> {
    return work(this.#tasks.get(id));
  }
}

function statusOf(task: Task): TaskStatus {
  const { status } = task;
  if (status === undefined) throw notFound(`No such task: ${task.id}`);
  return status;
}
