import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { DisablePlugin } from './disable-plugin.js';
import { PluginData } from './files/plugin-data.js';
import { PluginFiles } from './files/plugin-files.js';
import { PluginEvents } from './store/plugin-events.js';
import { nameOf } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';

interface RemoveOptions {
  /** Also when it is enabled. */
  readonly force: boolean;
  /** Deletes what the plugin wrote, too, which otherwise stays for its name. */
  readonly data: boolean;
}

/** Spec: DELETE /plugins/(name). */
@injectable()
export class RemovePlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(DisablePlugin) private readonly disablePlugin: DisablePlugin,
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(PluginData) private readonly data: PluginData,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /** Rejects `not-found`, and `conflict` when it is enabled without `force`. */
  remove(reference: string, { data, force }: RemoveOptions): Promise<void> {
    return this.store.change(reference, async (record) => {
      if (record.enabled && !force) throw conflict(`plugin "${nameOf(record)}" is active`);
      if (record.enabled) await this.disablePlugin.disableLocked(record, { force });
      await this.data.keep(record);
      crashPoint('plugin.remove.kept');
      await this.store.delete(record.id);
      crashPoint('plugin.remove.recorded');
      await this.files.remove(record.files);
      if (data) await this.data.delete(nameOf(record));
      this.events.publish('remove', record);
    });
  }
}
