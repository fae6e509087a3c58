import { inject, injectable, settlesWithin } from '@gantry/core/driver';
import { RemoveOrphans } from './remove-orphans.js';
import { PluginStore } from './store/plugin-store.js';
import { RunningPlugins } from './supervision/running-plugins.js';

/** Resumes enabled plugins after a start of the daemon. */
@injectable()
export class RestorePlugins {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(RunningPlugins) private readonly running: RunningPlugins,
    @inject(RemoveOrphans) private readonly removeOrphans: RemoveOrphans,
  ) {}

  /** Removes what a crash left, then resolves when every plugin runs, or was tried until the timeout (milliseconds). */
  async restore(timeout: number): Promise<void> {
    const records = this.store.list();
    const abandonedLogs = await this.removeOrphans.remove(records, this.store.unreadable());
    const enabled = records.filter((record) => record.enabled);
    const resumed = enabled.map((record) => this.running.add(record).resume(abandonedLogs.get(record.id) ?? []));
    await settlesWithin(Promise.all(resumed), timeout);
  }
}
