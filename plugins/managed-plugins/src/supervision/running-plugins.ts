import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { Config, type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { ExternalPlugins } from '@gantry/external-plugins/service';
import type { ManagedPluginsConfig } from '../config.js';
import { PluginFiles } from '../files/plugin-files.js';
import { type PluginRecord, taskPrefix } from '../store/plugin-record.js';
import { PluginTask } from '../task/plugin-task.js';
import { PluginSupervisor } from './plugin-supervisor.js';

/** The supervisors of enabled plugins. */
@injectable()
export class RunningPlugins {
  readonly #supervisors = new Map<string, PluginSupervisor>();

  constructor(
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(ExternalPlugins.token) private readonly external: ExternalPlugins,
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(Config) private readonly config: ManagedPluginsConfig,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Adds a supervisor, which does not start the plugin yet. */
  add(record: PluginRecord): PluginSupervisor {
    const task = new PluginTask(record, this.runtimes.get(), this.files, this.config, this.log);
    const supervisor = new PluginSupervisor(record, task, this.files, this.external, this.log);
    this.#supervisors.set(record.id, supervisor);
    return supervisor;
  }

  get(id: string): PluginSupervisor | undefined {
    return this.#supervisors.get(id);
  }

  delete(id: string): void {
    this.#supervisors.delete(id);
  }

  /** Handles the exit of any task of the runtime. */
  onExit(taskId: string, exitCode: number): void {
    if (taskId.startsWith(taskPrefix)) this.#supervisors.get(taskId.slice(taskPrefix.length))?.onExit(exitCode);
  }

  /** Plugins continue to run without the daemon, since containers use them. */
  release(): void {
    for (const supervisor of this.#supervisors.values()) supervisor.release();
  }
}
