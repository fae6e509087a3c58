import { mkdir } from 'node:fs/promises';
import type { TaskPreparation } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import { DirectoryRemoval } from '../directory-removal.js';
import { Layout } from '../layout.js';
import { taskMonitorArguments } from '../monitor/monitor-arguments.js';
import { type LaunchedMonitor, MonitorLauncher } from '../monitor/monitor-launcher.js';
import { type CreateForm, CreateForms } from '../runtime/create-forms.js';
import type { OciRuntime } from '../runtime/oci-runtime.js';

/** What a monitor is started with. */
export interface MonitorRequest extends Omit<TaskPreparation, 'runtime'> {
  readonly runtime: OciRuntime;
}

/** A monitor that waits to have its runtime create the task. */
export interface WaitingMonitor extends Pick<LaunchedMonitor, 'sync' | 'inBackground'> {
  readonly request: MonitorRequest;
  /** See `OciRuntime`. */
  readonly executedAs: string | undefined;
  /** Ends its wait, when the bundle is complete and all that it refers to is mounted. */
  proceed(): Promise<void>;
  /** Closes the daemon's ends. Called once the runtime has ended, or when the monitor is to be killed. */
  close(): Promise<void>;
  /** Kills it while it waits, and removes the directory. */
  abandon(): Promise<void>;
}

interface MonitorParts {
  readonly monitor: LaunchedMonitor;
  readonly form: CreateForm;
  readonly consoles: string | undefined;
}

/** Starts the monitors of tasks. */
@injectable()
export class LaunchMonitor {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(MonitorLauncher) private readonly monitors: MonitorLauncher,
    @inject(CreateForms) private readonly forms: CreateForms,
    @inject(DirectoryRemoval) private readonly removal: DirectoryRemoval,
  ) {}

  /** Creates the task's directory. On rejection there is none, and no monitor runs. */
  async launch(request: MonitorRequest): Promise<WaitingMonitor> {
    const { directory } = this.layout.task(request.id);
    await mkdir(directory, { mode: 0o700 });
    const consoles = request.terminal ? await consoleDirectory(this.layout) : undefined;
    try {
      const form = await this.forms.open(request.runtime, directory);
      const args = this.#argumentsFor(request, form.runtime);
      const monitor = await this.monitors.launch({ args, directory, consoles, scratch: directory, waits: 'at-start' });
      return this.#waiting(request, { monitor, form, consoles });
    } catch (error) {
      await removeConsoleDirectory(consoles);
      await this.removal.remove(directory);
      throw error;
    }
  }

  #waiting(request: MonitorRequest, { monitor, form, consoles }: MonitorParts): WaitingMonitor {
    const release = async (): Promise<void> => {
      form.close();
      await removeConsoleDirectory(consoles);
    };
    return {
      request,
      executedAs: form.runtime.executedAs,
      sync: monitor.sync,
      inBackground: monitor.inBackground,
      proceed: async () => {
        await form.ready();
        monitor.proceed();
      },
      close: async () => {
        monitor.close();
        await release();
      },
      abandon: async () => {
        await monitor.abandon();
        await release();
        await this.removal.remove(this.layout.task(request.id).directory);
      },
    };
  }

  #argumentsFor({ id, terminal, openStdin, stdinOnce, spool }: MonitorRequest, runtime: OciRuntime): readonly string[] {
    const { directory, pid, monitorPid } = this.layout.task(id);
    return taskMonitorArguments({
      id,
      runtime,
      runtimeRoot: this.layout.runtimeRoot,
      directory,
      pidFile: pid,
      monitorPidFile: monitorPid,
      terminal,
      openStdin,
      stdinOnce,
      spool,
    });
  }
}
