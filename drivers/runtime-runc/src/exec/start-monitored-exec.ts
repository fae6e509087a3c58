import { readFile } from 'node:fs/promises';
import { TaskStartError } from '@gantry/core/contracts';
import { abortable, inject, injectable } from '@gantry/core/driver';
import { Processes } from '@gantry/lib-linux/processes';
import { Seqpacket } from '@gantry/lib-linux/seqpacket';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import { ifPresent } from '../if-present.js';
import { Layout } from '../layout.js';
import { execMonitorArguments } from '../monitor/monitor-arguments.js';
import { type LaunchedMonitor, MonitorLauncher, readPid } from '../monitor/monitor-launcher.js';
import { SIGKILL } from '../process-identity.js';
import { reasonInLog } from '../runtime/runtime-error.js';
import { MonitorStreams } from '../streams/monitor-streams.js';
import { closedStdin, noStdin, PipeStdin, type Stdin, TerminalStdin } from '../streams/stdin.js';
import { openStdinPipe } from '../streams/stdin-pipe.js';
import type { ExecLayout } from './exec-layout.js';
import { type ExecStart, execFailure } from './exec-start.js';
import type { StartedExec } from './running-exec.js';

/** Starts processes under monitors of their own. */
@injectable()
export class StartMonitoredExec {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(MonitorLauncher) private readonly monitors: MonitorLauncher,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(Seqpacket.token) private readonly seqpacket: Seqpacket,
  ) {}

  async start(exec: ExecStart): Promise<StartedExec> {
    const { layout, request, signal } = exec;
    const terminal = request.process.terminal === true;
    const consoles = terminal ? await consoleDirectory(this.layout) : undefined;
    let monitor: LaunchedMonitor | undefined;
    let streams: MonitorStreams | undefined;
    try {
      monitor = await this.monitors.launch({
        args: this.#argumentsFor(exec),
        directory: layout.directory,
        consoles,
        scratch: layout.directory,
        ...(!request.detached && { waits: 'for-attachment' }),
      });
      if (!request.detached) streams = await this.#attach(exec, monitor);
      monitor.proceed();
      const report = await abortable(monitor.sync.next(), signal);
      if (report === undefined || report.data <= 0) {
        throw execFailure(exec, (report?.message ?? monitor.sync.printed) || (await loggedReason(layout)));
      }
      return {
        pid: report.data,
        streams,
        ended: exitCodeOf(monitor),
        control: terminal ? layout.control : undefined,
        abandon: monitor.close,
      };
    } catch (error) {
      // The monitor would otherwise go on when the pipe to it closes.
      await monitor?.inBackground;
      const pid = await readPid(layout.monitorPid);
      if (pid !== undefined) this.processes.kill(pid, SIGKILL);
      streams?.close();
      monitor?.close();
      throw error;
    } finally {
      await removeConsoleDirectory(consoles);
    }
  }

  #argumentsFor({ task, runtime, request, layout }: ExecStart): readonly string[] {
    return execMonitorArguments({
      id: task.id,
      execId: request.execId,
      runtime,
      runtimeRoot: this.layout.runtimeRoot,
      directory: layout.directory,
      processFile: layout.process,
      // What it prints once the process has its terminal is output of that terminal.
      log: request.process.terminal === true && runtime.kind !== 'other' ? layout.log : undefined,
      pidFile: layout.pid,
      monitorPidFile: layout.monitorPid,
      terminal: request.process.terminal === true,
      openStdin: request.openStdin,
      attach: !request.detached,
    });
  }

  /** Connects while the monitor waits, so that no output is missed. */
  async #attach({ layout, request, signal }: ExecStart, monitor: LaunchedMonitor): Promise<MonitorStreams> {
    const ready = await abortable(monitor.attachable?.next() ?? Promise.resolve(undefined), signal);
    if (ready === undefined) {
      const reason = monitor.sync.printed || 'the monitor has exited';
      throw new TaskStartError(`OCI runtime exec failed: ${reason}: unknown`, 128);
    }
    const connection = await this.seqpacket.connect(layout.attach, { signal });
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
}

const loggedReason = async ({ log }: ExecLayout): Promise<string> =>
  reasonInLog((await ifPresent(readFile(log, 'utf8'))) ?? '');

async function exitCodeOf(monitor: LaunchedMonitor): Promise<number> {
  const report = await monitor.sync.next();
  monitor.close();
  return report === undefined || report.data < 0 ? 255 : report.data;
}
