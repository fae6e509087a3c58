import type { ExecProcess, ExecRequest, TaskExit, TaskRequest } from '@gantry/core/contracts';
import { TaskStartError } from '@gantry/core/contracts';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { MemoryProcess } from './memory-process.js';
import { MemoryStreams } from './memory-streams.js';
import { MemoryTask } from './memory-task.js';

/** Above what a kernel gives, so that nothing of the host is ever taken for a task. */
const firstPid = 5_000_000;
let nextPid = firstPid;

/** Where tasks live: it outlives the driver, as processes do, for as long as this process lives. */
export class MemoryHost {
  readonly tasks = new Map<string, MemoryTask>();
  /** Listeners of the drivers for exits. */
  readonly listeners = new Set<(exit: TaskExit) => void>();

  async create(request: TaskRequest): Promise<MemoryTask> {
    checkName(request.id);
    if (this.tasks.has(request.id)) throw conflict(`task ${request.id} exists already`);
    const task = begin('create', () => new MemoryTask(request, nextPid++));
    this.tasks.set(request.id, task);
    await task.spool?.open();
    void this.#awaitExit(task);
    return task;
  }

  /** @throws EngineError `not-found`. */
  get(id: string): MemoryTask {
    const task = this.tasks.get(id);
    if (task === undefined) throw notFound(`No such task: ${id}`);
    return task;
  }

  exec(id: string, request: ExecRequest): ExecProcess {
    const task = this.get(id);
    const { execId, process, openStdin, detached } = request;
    checkName(execId);
    task.checkAlive();
    if (task.status.status === 'paused') {
      throw conflict(`Container ${id} is paused, unpause the container before exec`);
    }
    if (!task.hasBegun) throw conflict(`Container ${id} is not running`);
    if (task.execs.has(execId)) throw conflict(`exec ${execId} exists already`);
    let streams: MemoryStreams | undefined;
    const memory = begin('exec', () => {
      const parts = {
        pid: nextPid++,
        process,
        hostname: task.request.spec.hostname ?? '',
        openStdin: openStdin && !detached,
        isFirst: false,
        write: async (stream: 'stdout' | 'stderr', bytes: Uint8Array) => streams?.send(stream, bytes),
        thawed: () => task.thawedNow(),
      };
      return new MemoryProcess(parts, Promise.resolve());
    });
    if (!detached) streams = new MemoryStreams(memory, 'closes', () => undefined);
    task.execs.set(execId, memory);
    const exited = memory.ended.then((code) => {
      task.execs.delete(execId);
      streams?.finish();
      return code;
    });
    return {
      pid: memory.pid,
      streams,
      exited,
      async resize(size) {
        if (!memory.terminal) throw conflict('the process has no terminal');
        if (memory.hasEnded) throw notFound(`process ${memory.pid} has ended`);
        memory.size = size;
      },
      async kill(signal) {
        if (!memory.signal(signal)) throw notFound(`process ${memory.pid} has ended`);
      },
    };
  }

  async remove(id: string, force: boolean): Promise<void> {
    const task = this.tasks.get(id);
    if (task === undefined) return;
    if (task.exit === undefined) {
      if (task.hasBegun && !force) throw conflict(`Cannot delete container ${id}: it is ${task.status.status}`);
      task.isSilent = !task.hasBegun;
      task.first.signal(9);
      task.streams?.close();
      await task.first.ended;
      await task.published;
    }
    this.tasks.delete(id);
  }

  async #awaitExit(task: MemoryTask): Promise<void> {
    const exit = await task.ended();
    task.exit = exit;
    if (!task.isSilent) for (const listener of [...this.listeners]) listener(exit);
    task.settle();
  }
}

function begin<T>(verb: 'create' | 'exec', make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TaskStartError)) throw error;
    throw new TaskStartError(`OCI runtime ${verb} failed: ${error.message}: unknown`, error.exitCode);
  }
}

function checkName(id: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(id)) throw invalidArgument(`"${id}" is not an id`);
}
