import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { PluginFiles } from './files/plugin-files.js';
import { type PluginRecord, taskIdOf, taskPrefix } from './store/plugin-record.js';

/** Names of the FIFOs of an earlier daemon, by plugin id. */
type AbandonedLogs = ReadonlyMap<string, readonly string[]>;

/** Removes what a crash left of pulls, enabled plugins and removals. */
@injectable()
export class RemoveOrphans {
  readonly #runtime: RuntimeDriver;

  constructor(
    @inject(RuntimeDrivers.token) runtimes: DriverSet<RuntimeDriver>,
    @inject(PluginFiles) private readonly files: PluginFiles,
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
    await this.#removeFiles(kept, new Set(records.map(({ id }) => id)));
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

  async #removeFiles(kept: ReadonlySet<string>, installed: ReadonlySet<string>): Promise<void> {
    for (const entry of await readdir(this.directories.root)) {
      if (kept.has(entry)) continue;
      await this.#attempt(entry, async () => {
        await this.files.close(entry);
        if (!installed.has(entry)) await this.files.remove(entry);
      });
    }
  }

  async #removeRunDirectories(kept: ReadonlySet<string>): Promise<void> {
    const runs = new Set([...kept].map((id) => path.basename(this.files.directoriesOf(id).run)));
    for (const entry of await readdir(this.directories.state)) {
      if (runs.has(entry)) continue;
      await this.#attempt(entry, () => rm(path.join(this.directories.state, entry), { recursive: true }));
    }
  }

  async #removeLogs({ id }: PluginRecord): Promise<readonly [string, readonly string[]]> {
    const { logs } = this.files.directoriesOf(id);
    const names = await readdir(logs).catch(() => []);
    await Promise.all(names.map((name) => rm(path.join(logs, name), { force: true })));
    return [id, names];
  }

  async #attempt(orphan: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      this.log.warn({ event: 'plugin.orphan', orphan, reason: messageOf(error) }, 'failed to remove orphan');
    });
  }
}
