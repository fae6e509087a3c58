import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type OciSpec, type TaskRequest, TaskStartError } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { conflict, internal, invalidArgument } from '@gantry/core/errors';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import type { RuntimeContext } from '../context.js';
import { underDeadline, untilAborted } from '../deadline.js';
import type { TaskLayout } from '../layout.js';
import { taskMonitorArguments } from '../monitor/monitor-arguments.js';
import { launchMonitor, readPid } from '../monitor/monitor-launch.js';
import { identify } from '../process-identity.js';
import { type OciRuntime, sharesMounts } from '../runtime/oci-runtime.js';
import { taskStartError } from '../runtime/runtime-error.js';
import { prepareForMuchOutput } from '../streams/much-output.js';
import { stdinPipeOf } from '../streams/stdin-pipe.js';
import { type TaskRecord, writeRecord } from './task-record.js';
import type { TaskRegistry } from './task-registry.js';

/** What is known of a task before there is one, enough to take it away again. */
export interface TaskPlan {
  readonly request: TaskRequest;
  readonly layout: TaskLayout;
  readonly runtime: OciRuntime;
  readonly cgroup: string;
  /** A process whose /dev/shm it is to have. */
  readonly sharedMemoryOf: number | undefined;
  /** How many tasks there are beside it that have not ended. */
  readonly others: number;
}

/** @throws EngineError `invalid-argument` for what cannot be a task, `conflict` when it is to share what is not there. */
export function planTask(
  context: RuntimeContext,
  registry: Pick<TaskRegistry, 'all' | 'find'>,
  request: TaskRequest,
): TaskPlan {
  const { id, spec, spool } = request;
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(id)) throw invalidArgument(`"${id}" is not a task id`);
  if (spool?.includes(':') === true) throw invalidArgument(`spool: "${spool}" must not contain a colon`);
  const asked = spec.linux.cgroupsPath ?? `${context.config.cgroupParent}/${id}`;
  const cgroup = asked.startsWith('/') ? asked : `/${asked}`;
  // The group is emptied and removed with the task, so it must not be anybody else's.
  if (basename(cgroup) !== id || cgroup.split('/').includes('..')) {
    throw invalidArgument(`cgroupsPath: "${asked}" does not end with the id of the task, ${id}`);
  }
  const runtime = context.catalog.known.get(request.runtime, { sharesMounts: sharesMounts(spec) });
  const sharedMemoryOf = processOf(registry, request.sharedMemoryOf);
  const others = registry.all().filter(({ state }) => state.status !== 'exited' && state.status !== 'broken').length;
  return { request, layout: context.layout.task(id), runtime, cgroup, sharedMemoryOf, others };
}

function processOf(registry: Pick<TaskRegistry, 'find'>, id: string | undefined): number | undefined {
  if (id === undefined) return undefined;
  const other = registry.find(id);
  if (other?.state.status === 'running' || other?.state.status === 'paused') return other.state.record.first.pid;
  throw conflict(`cannot share the memory of ${id}, which does not run`);
}

/**
 * Makes the bundle and has a monitor prepare the task. On rejection nothing is under way in this process, and the caller
 * takes away what is there.
 */
export async function createTask(context: RuntimeContext, plan: TaskPlan, signal?: AbortSignal): Promise<TaskRecord> {
  const { request, layout, cgroup, runtime } = plan;
  const { filters } = context;
  const spec: OciSpec = { ...request.spec, linux: { ...request.spec.linux, cgroupsPath: cgroup } };
  const deadline = { who: 'the runtime', what: `create ${request.id}`, milliseconds: context.config.deadlines.create };
  return underDeadline({ ...deadline, signal }, async (ending) => {
    await mkdir(layout.directory, { mode: 0o700 });
    await writeFile(layout.bundle, JSON.stringify(filters.prepared(spec, runtime)));
    crashPoint('runtime.create.bundle');
    ending.throwIfAborted();
    const processes = await launch(context, plan, ending);
    crashPoint('runtime.create.launched');
    await filters.learn(spec, runtime, layout.runtimeState);
    const [from, to] = [plan.sharedMemoryOf, processes.first.pid];
    if (from !== undefined) await context.ports.shareTmpfs({ from, to, path: '/dev/shm' });
    const prepared = prepareForMuchOutput(context.ports, request, { ...processes, others: plan.others });
    try {
      const record = await describe(context, plan, processes);
      await writeRecord(layout, record);
      crashPoint('runtime.create.recorded');
      return record;
    } finally {
      await prepared;
    }
  });
}

type TaskProcesses = Pick<TaskRecord, 'first' | 'monitor'>;

/** @returns the monitor and the first process, which waits to be let go. */
async function launch(context: RuntimeContext, plan: TaskPlan, signal: AbortSignal): Promise<TaskProcesses> {
  const { request, layout, runtime } = plan;
  const { id, spec, openStdin, stdinOnce, spool } = request;
  const terminal = spec.process.terminal === true;
  const consoles = terminal ? await consoleDirectory(context.layout) : undefined;
  const args = taskMonitorArguments({
    id,
    runtime,
    runtimeRoot: context.layout.runtimeRoot,
    directory: layout.directory,
    pidFile: layout.pid,
    monitorPidFile: layout.monitorPid,
    terminal,
    openStdin,
    stdinOnce,
    spool,
  });
  try {
    const monitor = await launchMonitor(context.ports, {
      conmon: context.conmon,
      args,
      directory: layout.directory,
      consoles,
      scratch: layout.directory,
    });
    try {
      // Read while the runtime works.
      const monitorPid = monitor.inBackground.then(() => readPid(layout.monitorPid));
      const [report, pid] = await untilAborted(Promise.all([monitor.sync.next(), monitorPid]), signal);
      if (report === undefined || report.data <= 0) {
        throw taskStartError('create', report?.message ?? monitor.sync.said, spec.process.args[0] ?? '');
      }
      return identifyAll(context, id, report.data, pid);
    } finally {
      monitor.close();
    }
  } finally {
    await removeConsoleDirectory(consoles);
  }
}

function identifyAll(
  { ports: { processes } }: RuntimeContext,
  id: string,
  firstPid: number,
  monitorPid: number | undefined,
): TaskProcesses {
  const monitor = monitorPid === undefined ? undefined : identify(processes, monitorPid);
  if (monitor === undefined) throw internal(`the monitor of ${id} has gone`);
  const first = identify(processes, firstPid);
  if (first === undefined) throw new TaskStartError(`the first process of ${id} has gone before it was started`, 128);
  return { first, monitor };
}

async function describe(context: RuntimeContext, plan: TaskPlan, found: TaskProcesses): Promise<TaskRecord> {
  const { request, runtime, cgroup } = plan;
  const { spec, openStdin, stdinOnce, spool } = request;
  const terminal = spec.process.terminal === true;
  const stdinPipe = openStdin && !terminal ? await stdinPipeOf(found.first.pid) : undefined;
  return {
    version: 1,
    bootId: context.bootId,
    runtime: { ...runtime, args: [...runtime.args] },
    cgroup,
    ...found,
    program: spec.process.args[0] ?? '',
    terminal,
    stdin: stdinKind(openStdin, stdinOnce),
    ...(stdinPipe !== undefined && { stdinPipe }),
    ...(spool !== undefined && { spool }),
    hooks: { poststart: hasHooks(spec, 'poststart'), poststop: hasHooks(spec, 'poststop') },
  };
}

function stdinKind(openStdin: boolean, stdinOnce: boolean): TaskRecord['stdin'] {
  if (!openStdin) return 'none';
  return stdinOnce ? 'once' : 'open';
}

const hasHooks = (spec: OciSpec, kind: string): boolean => (spec.hooks?.[kind] ?? []).length > 0;
