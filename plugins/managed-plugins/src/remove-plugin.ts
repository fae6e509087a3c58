import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { DisablePlugin } from './disable-plugin.js';
import { PluginFiles } from './files/plugin-files.js';
import { PluginEvents } from './store/plugin-events.js';
import { nameOf } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';

/** Spec: DELETE /plugins/(name). */
@injectable()
export class RemovePlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(DisablePlugin) private readonly disablePlugin: DisablePlugin,
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /** Rejects `not-found`, `conflict` when it is enabled without `force`. */
  remove(reference: string, { force }: { readonly force: boolean }): Promise<void> {
    return this.store.change(reference, async (record) => {
      if (record.enabled && !force) throw conflict(`plugin "${nameOf(record)}" is active`);
      if (record.enabled) await this.disablePlugin.disableLocked(record, { force });
      await this.store.delete(record.id);
      crashPoint('plugin.remove.recorded');
      await this.files.remove(record.id);
      this.events.publish('remove', record);
    });
  }
}
