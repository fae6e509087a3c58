import { TaskStartError } from '@gantry/core/contracts';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import { untilAborted } from '../deadline.js';
import { execMonitorArguments } from '../monitor/monitor-arguments.js';
import { type LaunchedMonitor, launchMonitor, readPid } from '../monitor/monitor-launch.js';
import { MonitorStreams } from '../streams/monitor-streams.js';
import { closedStdin, noStdin, PipeStdin, type Stdin, TerminalStdin } from '../streams/stdin.js';
import { openStdinPipe } from '../streams/stdin-pipe.js';
import { SIGKILL } from '../task/kill-task.js';
import { type ExecStart, execFailure } from './exec-start.js';
import type { StartedExec } from './running-exec.js';

/** Starts a process under a monitor of its own. */
export async function startMonitoredExec(exec: ExecStart): Promise<StartedExec> {
  const { context, layout, request, signal } = exec;
  const terminal = request.process.terminal === true;
  const consoles = terminal ? await consoleDirectory(context.layout) : undefined;
  let monitor: LaunchedMonitor | undefined;
  let streams: MonitorStreams | undefined;
  try {
    monitor = await launchMonitor(context.ports, {
      conmon: context.conmon,
      args: argumentsFor(exec),
      directory: layout.directory,
      consoles,
      scratch: layout.directory,
      attachFirst: !request.detached,
    });
    if (!request.detached) streams = await attach(exec, monitor);
    monitor.proceed();
    const report = await untilAborted(monitor.sync.next(), signal);
    if (report === undefined || report.data <= 0) throw execFailure(exec, report?.message ?? monitor.sync.said);
    return {
      pid: report.data,
      streams,
      ended: ended(monitor),
      control: terminal ? layout.control : undefined,
      abandon: monitor.close,
    };
  } catch (error) {
    // It would otherwise go on when the pipe to it closes.
    await monitor?.inBackground;
    const pid = await readPid(layout.monitorPid);
    if (pid !== undefined) context.ports.processes.kill(pid, SIGKILL);
    streams?.close();
    monitor?.close();
    throw error;
  } finally {
    await removeConsoleDirectory(consoles);
  }
}

async function ended(monitor: LaunchedMonitor): Promise<number> {
  const report = await monitor.sync.next();
  monitor.close();
  return report === undefined || report.data < 0 ? 255 : report.data;
}

const argumentsFor = ({ context, task, runtime, request, layout }: ExecStart): readonly string[] =>
  execMonitorArguments({
    id: task.id,
    execId: request.execId,
    runtime,
    runtimeRoot: context.layout.runtimeRoot,
    directory: layout.directory,
    processFile: layout.process,
    pidFile: layout.pid,
    monitorPidFile: layout.monitorPid,
    terminal: request.process.terminal === true,
    openStdin: request.openStdin,
    attach: !request.detached,
  });

/** Connects while the monitor waits, so that no output is missed. */
async function attach(exec: ExecStart, monitor: LaunchedMonitor): Promise<MonitorStreams> {
  const { context, layout, request, signal } = exec;
  const ready = await untilAborted(monitor.attachable?.next() ?? Promise.resolve(undefined), signal);
  if (ready === undefined) {
    throw new TaskStartError(`OCI runtime exec failed: ${monitor.sync.said || 'the monitor has gone'}: unknown`, 128);
  }
  const connection = await context.ports.seqpacket.connect(layout.attach, { signal });
  let stdin: Stdin = noStdin;
  if (request.openStdin && request.process.terminal === true) {
    stdin = new TerminalStdin(connection, false);
  } else if (request.openStdin) {
    await monitor.inBackground;
    const monitorPid = await readPid(layout.monitorPid);
    const fd = monitorPid === undefined ? undefined : await openStdinPipe(monitorPid);
    stdin = fd === undefined ? closedStdin : new PipeStdin(fd, () => connection.end());
  }
  return new MonitorStreams(connection, stdin, () => undefined);
}
