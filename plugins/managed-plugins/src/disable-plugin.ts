import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { PluginEvents } from './store/plugin-events.js';
import { nameOf, type PluginRecord } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';
import { RunningPlugins } from './supervision/running-plugins.js';

/** Spec: POST /plugins/(name)/disable. */
@injectable()
export class DisablePlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(RunningPlugins) private readonly running: RunningPlugins,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /** Rejects `not-found`, `conflict` when it is disabled, or in use without `force`. */
  disable(reference: string, options: { readonly force: boolean }): Promise<void> {
    return this.store.change(reference, (record) => this.disableLocked(record, options));
  }

  /** The same within a change of the plugin. */
  async disableLocked(record: PluginRecord, { force }: { readonly force: boolean }): Promise<void> {
    if (!record.enabled) throw conflict(`plugin "${nameOf(record)}" is already disabled`);
    const plugin = this.running.get(record.id);
    const inUse = plugin?.inUse;
    if (inUse !== undefined && !force) throw conflict(`plugin "${nameOf(record)}" is in use: ${inUse}`);
    await this.store.put({ ...record, enabled: false });
    crashPoint('plugin.disable.recorded');
    await plugin?.stop();
    crashPoint('plugin.disable.ended');
    this.running.delete(record.id);
    this.events.publish('disable', record);
  }
}
