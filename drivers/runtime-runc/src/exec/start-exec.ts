import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExecRequest, TaskStartError } from '@gantry/core/contracts';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import type { RuntimeContext } from '../context.js';
import { untilAborted, withDeadline } from '../deadline.js';
import { execMonitorArguments } from '../monitor/monitor-arguments.js';
import { type LaunchedMonitor, launchMonitor, readPid } from '../monitor/monitor-launch.js';
import { taskStartError } from '../runtime/runtime-error.js';
import { MonitorStreams } from '../streams/monitor-streams.js';
import { closedStdin, noStdin, PipeStdin, type Stdin, TerminalStdin } from '../streams/stdin.js';
import { openStdinPipe } from '../streams/stdin-pipe.js';
import { SIGKILL } from '../task/kill-task.js';
import type { Task } from '../task/task.js';
import { RunningExec } from './running-exec.js';

/** Where a further process's monitor has its files. */
interface ExecLayout {
  readonly directory: string;
  readonly process: string;
  readonly pid: string;
  readonly monitorPid: string;
  readonly attach: string;
  readonly control: string;
}

/** Has the runtime start a further process in a task, under a monitor of its own. */
export async function startExec(
  context: RuntimeContext,
  task: Task,
  request: ExecRequest,
  signal?: AbortSignal,
): Promise<RunningExec> {
  const { execId } = request;
  const { status } = task.living;
  if (status === 'paused') throw conflict(`Container ${task.id} is paused, unpause the container before exec`);
  if (status === 'created') throw conflict(`Container ${task.id} is not running`);
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(execId)) throw invalidArgument(`"${execId}" is not an exec id`);
  if (task.execs.has(execId)) throw conflict(`exec ${execId} exists already`);
  task.execs.add(execId);
  const layout = layoutOf(task, execId);
  const forget = async (): Promise<void> => {
    task.execs.delete(execId);
    await rm(layout.directory, { recursive: true, force: true });
  };
  try {
    const milliseconds = context.config.deadlines.exec;
    return await withDeadline({ who: 'the runtime', what: `exec in ${task.id}`, milliseconds, signal }, (ending) =>
      start(context, task, request, layout, forget, ending),
    );
  } catch (error) {
    await forget();
    throw error;
  }
}

const layoutOf = (task: Task, execId: string): ExecLayout => {
  const directory = join(task.layout.execs, execId);
  return {
    directory,
    process: join(directory, 'process.json'),
    pid: join(directory, 'pid'),
    monitorPid: join(directory, 'monitor.pid'),
    attach: join(directory, 'attach'),
    control: join(directory, 'ctl'),
  };
};

async function start(
  context: RuntimeContext,
  task: Task,
  request: ExecRequest,
  layout: ExecLayout,
  forget: () => Promise<void>,
  signal: AbortSignal,
): Promise<RunningExec> {
  await mkdir(layout.directory, { recursive: true, mode: 0o700 });
  await writeFile(layout.process, JSON.stringify(request.process));
  const terminal = request.process.terminal === true;
  const consoles = terminal ? await consoleDirectory(context.layout) : undefined;
  let monitor: LaunchedMonitor | undefined;
  let streams: MonitorStreams | undefined;
  try {
    monitor = await launchMonitor(context.ports, {
      conmon: context.conmon,
      args: argumentsFor(context, task, request, layout),
      directory: layout.directory,
      consoles,
      attachFirst: !request.detached,
    });
    if (!request.detached) streams = await attach(context, request, layout, monitor, signal);
    monitor.proceed();
    const report = await untilAborted(monitor.sync.next(), signal);
    if (report === undefined || report.data <= 0) throw failure(task, request, monitor, report?.message);
    return new RunningExec({ ports: context.ports, pid: report.data, terminal, layout, monitor, streams, forget });
  } catch (error) {
    // It would otherwise go on when the pipe to it closes.
    const pid = await readPid(layout.monitorPid);
    if (pid !== undefined) context.ports.processes.kill(pid, SIGKILL);
    streams?.close();
    monitor?.close();
    throw error;
  } finally {
    await removeConsoleDirectory(consoles);
  }
}

const argumentsFor = (
  context: RuntimeContext,
  task: Task,
  { execId, process, openStdin, detached }: ExecRequest,
  layout: ExecLayout,
): readonly string[] =>
  execMonitorArguments({
    id: task.id,
    execId,
    runtime: task.living.record.runtime,
    runtimeRoot: context.layout.runtimeRoot,
    directory: layout.directory,
    processFile: layout.process,
    pidFile: layout.pid,
    monitorPidFile: layout.monitorPid,
    terminal: process.terminal === true,
    openStdin,
    attach: !detached,
  });

/** Connects while the monitor waits, so that no output is missed. */
async function attach(
  { ports }: RuntimeContext,
  { openStdin, process }: ExecRequest,
  layout: ExecLayout,
  monitor: LaunchedMonitor,
  signal: AbortSignal,
): Promise<MonitorStreams> {
  const ready = await untilAborted(monitor.attachable?.next() ?? Promise.resolve(undefined), signal);
  if (ready === undefined) {
    throw new TaskStartError(`OCI runtime exec failed: ${monitor.sync.said || 'the monitor has gone'}: unknown`, 128);
  }
  const connection = await ports.seqpacket.connect(layout.attach, { signal });
  let stdin: Stdin = noStdin;
  if (openStdin && process.terminal === true) {
    stdin = new TerminalStdin(connection, false);
  } else if (openStdin) {
    const monitorPid = await readPid(layout.monitorPid);
    const fd = monitorPid === undefined ? undefined : await openStdinPipe(monitorPid);
    stdin = fd === undefined ? closedStdin : new PipeStdin(fd, connection, false);
  }
  return new MonitorStreams(connection, stdin, () => undefined);
}

function failure(task: Task, request: ExecRequest, monitor: LaunchedMonitor, message: string | undefined): Error {
  // The task's own end explains it better than what the runtime says of it.
  if (!task.isLiving) return conflict(`Container ${task.id} is not running`);
  return taskStartError('exec', message ?? monitor.sync.said, request.process.args[0] ?? '');
}
