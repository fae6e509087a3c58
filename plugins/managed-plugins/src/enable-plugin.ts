import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { PluginEvents } from './store/plugin-events.js';
import { nameOf } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';
import { RunningPlugins } from './supervision/running-plugins.js';

/** Spec: POST /plugins/(name)/enable. */
@injectable()
export class EnablePlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(RunningPlugins) private readonly running: RunningPlugins,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /** Rejects `not-found`, `conflict` when it is enabled, and with the reason when it does not start. */
  enable(reference: string): Promise<void> {
    return this.store.change(reference, async (record) => {
      if (record.enabled) throw conflict(`plugin "${nameOf(record)}" is already enabled`);
      const plugin = this.running.add(record);
      try {
        await plugin.start();
        crashPoint('plugin.enable.running');
        await this.store.put({ ...record, enabled: true });
      } catch (error) {
        this.running.delete(record.id);
        await plugin.stop();
        throw error;
      }
      this.events.publish('enable', record);
    });
  }
}
