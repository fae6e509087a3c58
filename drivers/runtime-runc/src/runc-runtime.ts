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
import { type DriverLifecycle, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { trimHeap } from '@gantry/lib-linux/processes';
import type { RunningExec } from './exec/running-exec.js';
import { StartExec } from './exec/start-exec.js';
import { Layout } from './layout.js';
import { MemoryState } from './memory-state.js';
import { ParentCgroup } from './parent-cgroup.js';
import { LazyCatalog } from './runtime/lazy-catalog.js';
import { AttachTask } from './task/attach-task.js';
import { DeleteTask } from './task/delete-task.js';
import { FreezeTask } from './task/freeze-task.js';
import { KillTask } from './task/kill-task.js';
import { ListProcesses } from './task/list-processes.js';
import { PrepareTask } from './task/prepare-task.js';
import { ReadStats } from './task/read-stats.js';
import { RecoverTasks } from './task/recover-tasks.js';
import { resizeTask } from './task/resize-task.js';
import { RotateSpool } from './task/rotate-spool.js';
import { StartTask } from './task/start-task.js';
import type { Task } from './task/task.js';
import { TaskRegistry } from './task/task-registry.js';
import { TaskWatcher } from './task/task-watcher.js';
import { UpdateTask } from './task/update-task.js';
import { CgroupMode } from './tokens.js';

/** How long after the start runtimes are probed, in ms: the first clients are served before. */
const probeDelay = 100;

/**
 * OCI runtimes under conmon, one for each task and exec, so that both survive the daemon. Its methods are those of the
 * contract; each is one call of the class that implements the operation.
 */
@injectable()
export class RuncRuntime implements RuntimeDriver, DriverLifecycle {
  readonly capabilities: RuntimeCapabilities;
  readonly #execs = new Set<RunningExec>();
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(
    @inject(CgroupMode) cgroups: CgroupMode,
    @inject(Lifetime) lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
    @inject(Layout) private readonly layout: Layout,
    @inject(LazyCatalog) private readonly catalog: LazyCatalog,
    @inject(MemoryState) private readonly memory: MemoryState,
    @inject(ParentCgroup) private readonly parentCgroup: ParentCgroup,
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(TaskWatcher) private readonly watcher: TaskWatcher,
    @inject(RecoverTasks) private readonly recoverTasks: RecoverTasks,
    @inject(PrepareTask) private readonly prepareTask: PrepareTask,
    @inject(StartTask) private readonly starter: StartTask,
    @inject(KillTask) private readonly killer: KillTask,
    @inject(FreezeTask) private readonly freezer: FreezeTask,
    @inject(UpdateTask) private readonly updater: UpdateTask,
    @inject(DeleteTask) private readonly deleter: DeleteTask,
    @inject(AttachTask) private readonly attacher: AttachTask,
    @inject(StartExec) private readonly startExec: StartExec,
    @inject(ListProcesses) private readonly lister: ListProcesses,
    @inject(ReadStats) private readonly statistics: ReadStats,
    @inject(RotateSpool) private readonly rotator: RotateSpool,
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
    lifetime.add(() => this.#release());
  }

  async start(): Promise<void> {
    await this.memory.open();
    const found = await this.recoverTasks.recover();
    for (const task of found) this.registry.add(task);
    await Promise.all(found.map((task) => this.watcher.watch(task)));
  }

  async ready(): Promise<void> {
    this.#probeTimer = setTimeout(() => this.catalog.begin(), probeDelay);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#probeTimer);
    await this.catalog.idle();
    await this.#leaveMemory();
    if (this.registry.isEmpty) await this.parentCgroup.remove();
  }

  /** Returns the memory that threads and streams of tasks have freed in the C library. */
  onIdle(): Promise<void> {
    return trimHeap();
  }

  async describe(): Promise<RuntimeDescription> {
    const { names, standard } = await this.catalog.ready();
    return { name: standard.name, path: standard.program ?? standard.path, version: standard.version, runtimes: names };
  }

  async create(request: TaskRequest, options: { readonly signal?: AbortSignal } = {}): Promise<TaskStatus> {
    if (!this.catalog.isReady) await this.catalog.ready();
    try {
      return statusOf(await this.prepareTask.prepare(request, options.signal));
    } catch (error) {
      await this.#leaveMemory();
      throw error;
    }
  }

  startTask(id: string): Promise<void> {
    return this.#with(id, (task) => this.starter.start(task));
  }

  kill(id: string, signal: number, options: { readonly all?: boolean } = {}): Promise<void> {
    return this.#with(id, (task) => this.killer.kill(task, signal, options.all ?? false));
  }

  pause(id: string): Promise<void> {
    return this.#with(id, (task) => this.freezer.pause(task));
  }

  resume(id: string): Promise<void> {
    return this.#with(id, (task) => this.freezer.resume(task));
  }

  update(id: string, resources: OciResources): Promise<void> {
    return this.#with(id, (task) => this.updater.update(task, resources));
  }

  async delete(id: string, options: { readonly force?: boolean } = {}): Promise<void> {
    await this.deleter.delete(id, options.force ?? false);
    await this.#leaveMemory();
  }

  async tasks(): Promise<readonly TaskStatus[]> {
    return this.registry.all().flatMap(({ status }) => status ?? []);
  }

  async status(id: string): Promise<TaskStatus> {
    return statusOf(this.registry.get(id));
  }

  onExit(listener: (exit: TaskExit) => void): () => void {
    return this.watcher.exits.add(listener);
  }

  onOom(listener: (id: string) => void): () => void {
    return this.watcher.oomKills.add(listener);
  }

  attach(id: string): Promise<TaskStreams> {
    return this.#with(id, (task) => this.attacher.attach(task));
  }

  async exec(id: string, request: ExecRequest, options: { readonly signal?: AbortSignal } = {}): Promise<ExecProcess> {
    const exec = await this.startExec.start(this.registry.get(id), request, options.signal);
    this.#execs.add(exec);
    void exec.finished.then(() => this.#execs.delete(exec));
    return exec;
  }

  resize(id: string, size: TerminalSize): Promise<void> {
    return this.#with(id, (task) => resizeTask(task, size));
  }

  processes(id: string): Promise<readonly number[]> {
    return this.#with(id, (task) => this.lister.pids(task));
  }

  processTable(
    id: string,
    args: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ProcessTable> {
    return this.#with(id, (task) => this.lister.table(task, args, options.signal));
  }

  stats(id: string): Promise<TaskStats> {
    return this.#with(id, (task) => this.statistics.read(task));
  }

  rotateSpool(id: string): Promise<string | undefined> {
    return this.#with(id, (task) => this.rotator.rotate(task));
  }

  /** Closes everything that is open. Tasks and execs go on. */
  #release(): void {
    this.watcher.release();
    for (const task of this.registry.all()) task.detach();
    for (const exec of this.#execs) exec.abandon();
  }

  /** Unmounts the directory of tasks if there are none. Never rejects. */
  async #leaveMemory(): Promise<void> {
    if (!this.registry.isEmpty) return;
    await this.memory
      .leave(() => this.registry.isEmpty)
      .catch((error: unknown) => {
        this.log.warn(
          { event: 'task.orphan', what: this.layout.memory, error },
          'failed to unmount the task directory',
        );
      });
  }

  /** Rejects, never throws, when there is no such task. */
  async #with<T>(id: string, work: (task: Task) => Promise<T>): Promise<T> {
    return work(this.registry.get(id));
  }
}

function statusOf(task: Task): TaskStatus {
  const { status } = task;
  if (status === undefined) throw notFound(`No such task: ${task.id}`);
  return status;
}
