import { totalmem } from 'node:os';
import {
  type ExecProcess,
  type ExecRequest,
  type OciResources,
  type ProcessTable,
  type RuntimeCapabilities,
  type RuntimeDescription,
  type RuntimeDriver,
  RuntimeDrivers,
  type TaskExit,
  type TaskIo,
  type TaskProcesses,
  type TaskRequest,
  type TaskStats,
  type TaskStatus,
  type TaskStreams,
  type TerminalSize,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { onDisk } from './memory-disk.js';
import { MemoryHost } from './runtime/memory-host.js';
import { processTable } from './runtime/process-table.js';

/** A page: nothing fits into less. */
const smallestMemory = 4096;

class MemoryIo implements TaskIo {
  readonly #streams = new Set<TaskStreams>();

  constructor(private readonly host: MemoryHost) {}

  async attach(id: string): Promise<TaskStreams> {
    const streams = this.host.get(id).attach();
    this.#streams.add(streams);
    streams.output.once('close', () => this.#streams.delete(streams));
    return streams;
  }

  async resize(id: string, size: TerminalSize): Promise<void> {
    const task = this.host.get(id);
    task.checkAlive();
    if (!task.first.terminal) throw conflict(`Container ${id} has no terminal`);
    task.first.size = size;
  }

  async rotateSpool(id: string): Promise<string | undefined> {
    return this.host.get(id).spool?.rotate();
  }

  close(): void {
    for (const streams of this.#streams) streams.close();
  }
}

class MemoryProcesses implements TaskProcesses {
  constructor(private readonly host: MemoryHost) {}

  async exec(id: string, request: ExecRequest, options: { readonly signal?: AbortSignal } = {}): Promise<ExecProcess> {
    options.signal?.throwIfAborted();
    return this.host.exec(id, request);
  }

  async list(id: string): Promise<readonly number[]> {
    const task = this.host.get(id);
    task.checkAlive();
    return [task.first.pid, ...[...task.execs.values()].map(({ pid }) => pid)];
  }

  async table(id: string, args: readonly string[]): Promise<ProcessTable> {
    const task = this.host.get(id);
    task.checkAlive();
    return processTable([task.first, ...task.execs.values()], args);
  }
}

/**
 * Runs a few programs of every system (`true`, `false`, `echo`, `printf`, `sleep`, `cat`, `wc -c`, `env`, `pwd`,
 * `hostname`, `stty size`, and `sh` with a little of its language) as functions in this process. They have streams,
 * signals and exit codes; there are no files and nothing is isolated.
 */
class MemoryRuntime implements RuntimeDriver {
  readonly capabilities: RuntimeCapabilities = {
    pause: true,
    exec: true,
    update: true,
    stats: true,
    processTable: true,
    survivesDaemon: true,
    cgroups: undefined,
  };
  readonly #listeners = new Set<(exit: TaskExit) => void>();
  readonly #publish = (exit: TaskExit): void => {
    for (const listener of [...this.#listeners]) listener(exit);
  };

  readonly io: MemoryIo;
  readonly processes: MemoryProcesses;

  constructor(private readonly host: MemoryHost) {
    this.io = new MemoryIo(host);
    this.processes = new MemoryProcesses(host);
    // The connections of a daemon end with it.
    for (const { streams } of host.tasks.values()) streams?.close();
    host.listeners.add(this.#publish);
  }

  release(): void {
    this.host.listeners.delete(this.#publish);
    this.io.close();
  }

  async describe(): Promise<RuntimeDescription> {
    return { name: 'memory', path: '', version: '1.0', runtimes: ['memory'] };
  }

  async create(request: TaskRequest, options: { readonly signal?: AbortSignal } = {}): Promise<TaskStatus> {
    options.signal?.throwIfAborted();
    const { runtime = 'memory' } = request;
    if (runtime !== 'memory') throw invalidArgument(`unknown or invalid runtime name: ${runtime}`);
    return (await this.host.create(request)).status;
  }

  async startTask(id: string): Promise<void> {
    this.host.get(id).begin();
  }

  async kill(id: string, signal: number, options: { readonly all?: boolean } = {}): Promise<void> {
    const task = this.host.get(id);
    task.checkAlive();
    if (options.all === true) for (const exec of task.execs.values()) exec.signal(signal);
    if (!task.first.signal(signal)) throw task.notRunning();
  }

  async pause(id: string): Promise<void> {
    this.host.get(id).freeze();
  }

  async resume(id: string): Promise<void> {
    this.host.get(id).thaw();
  }

  async update(id: string, { memory }: OciResources): Promise<void> {
    this.host.get(id).checkAlive();
    if (memory?.limit !== undefined && memory.limit >= 0 && memory.limit < smallestMemory) {
      throw invalidArgument(`Cannot update container ${id}: unable to set memory limit to ${memory.limit}`);
    }
  }

  delete(id: string, options: { readonly force?: boolean } = {}): Promise<void> {
    return this.host.remove(id, options.force ?? false);
  }

  async tasks(): Promise<readonly TaskStatus[]> {
    return [...this.host.tasks.values()].map(({ status }) => status);
  }

  async status(id: string): Promise<TaskStatus> {
    return this.host.get(id).status;
  }

  onExit(listener: (exit: TaskExit) => void): () => void {
    const own = (exit: TaskExit): void => listener(exit);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Memory never runs out here. */
  onOom(): () => void {
    return () => undefined;
  }

  async stats(id: string): Promise<TaskStats> {
    const current = (await this.processes.list(id)).length;
    const throttling = { periods: 0, throttledPeriods: 0, throttledTime: 0 };
    return {
      readAt: new Date(),
      cpu: { total: 0, user: 0, kernel: 0, perCpu: [], throttling },
      memory: { usage: 0, maxUsage: 0, limit: totalmem(), failures: 0, counters: {} },
      pids: { current, limit: undefined },
    };
  }
}

export const runtime = defineDriver({
  id: 'memory',
  provides: RuntimeDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create({ dirs, lifetime }) {
    const driver = new MemoryRuntime(onDisk(dirs.state, 'runtime', () => new MemoryHost()));
    lifetime.add(() => driver.release());
    return driver;
  },
});
