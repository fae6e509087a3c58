import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import { SharedDirectories } from '@gantry/lib-plugin-protocol';
import { dataKey, isVersion, runKey } from './files/directories-of.js';
import { propagatedMounts } from './files/plugin-data.js';
import { PluginFiles } from './files/plugin-files.js';
import { nameOf, type PluginRecord, taskIdOf, taskPrefix } from './store/plugin-record.js';

/** Names of the FIFOs of an earlier daemon, by plugin id. */
type AbandonedLogs = ReadonlyMap<string, readonly string[]>;

/** Removes what a crash left of pulls, enabled plugins and removals. */
@injectable()
export class RemoveOrphans {
  readonly #runtime: RuntimeDriver;

  constructor(
    @inject(RuntimeDrivers.token) runtimes: DriverSet<RuntimeDriver>,
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(SharedDirectories) private readonly shared: SharedDirectories,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#runtime = runtimes.get();
  }

  /**
   * Removes tasks, mounts and run directories of plugins that are not enabled, files of plugins that are not installed,
   * and all FIFOs. Failures are logged. Plugins with unreadable records (their ids) keep everything.
   */
  async remove(records: readonly PluginRecord[], unreadable: readonly string[]): Promise<AbandonedLogs> {
    const enabled = records.filter((record) => record.enabled);
    const kept = new Set([...enabled.map(({ id }) => id), ...unreadable]);
    await this.#removeTasks(kept);
    await this.#unshareData(enabled, unreadable.length > 0);
    await this.#removeFiles(records, unreadable.length > 0);
    await this.#removeRunDirectories(kept);
    return new Map(await Promise.all(enabled.map((record) => this.#removeLogs(record))));
  }

  async #removeTasks(kept: ReadonlySet<string>): Promise<void> {
    const tasks = new Set([...kept].map((id) => taskIdOf({ id })));
    for (const { id } of await this.#runtime.tasks()) {
      if (!id.startsWith(taskPrefix) || tasks.has(id)) continue;
      await this.#attempt(id, () => this.#runtime.delete(id, { force: true }));
    }
  }

  /** Of records that cannot be read, it is unknown which files they have: then only incomplete ones are removed. */
  async #removeFiles(records: readonly PluginRecord[], hasUnreadable: boolean): Promise<void> {
    const installed = new Set(records.map(({ files }) => files));
    for (const entry of (await readdir(this.directories.root)).filter(isVersion)) {
      if (installed.has(entry) || (hasUnreadable && !entry.endsWith('.part'))) continue;
      await this.#attempt(entry, () => this.files.remove(entry));
    }
  }

  async #unshareData(enabled: readonly PluginRecord[], hasUnreadable: boolean): Promise<void> {
    const kept = new Set(enabled.map((record) => dataKey(nameOf(record))));
    for (const directory of await propagatedMounts(this.directories, (key) => hasUnreadable || kept.has(key))) {
      await this.#attempt(directory, () => this.shared.unshare(directory));
    }
  }

  async #removeRunDirectories(kept: ReadonlySet<string>): Promise<void> {
    const runs = new Set([...kept].map(runKey));
    for (const entry of await readdir(this.directories.state)) {
      if (runs.has(entry)) continue;
      await this.#attempt(entry, () => rm(path.join(this.directories.state, entry), { recursive: true }));
    }
  }

  async #removeLogs(plugin: PluginRecord): Promise<readonly [string, readonly string[]]> {
    const { logs } = this.files.directoriesOf(plugin);
    const names = await readdir(logs).catch(() => []);
    await Promise.all(names.map((name) => rm(path.join(logs, name), { force: true })));
    return [plugin.id, names];
  }

  async #attempt(orphan: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      this.log.warn({ event: 'plugin.orphan', orphan, error }, 'failed to remove orphan');
    });
  }
}
