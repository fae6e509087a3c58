import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { changeSettings } from './manifest/change-settings.js';
import { nameOf, settingsOf } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';

/** API 1.25: POST /plugins/(name)/set. */
@injectable()
export class SetPlugin {
  constructor(@inject(PluginStore) private readonly store: PluginStore) {}

  /** Durable when it resolves. Rejects `conflict` when it is enabled, `invalid-argument` naming a setting; then none is set. */
  set(reference: string, settings: readonly string[]): Promise<void> {
    return this.store.change(reference, async (record) => {
      if (record.enabled)
        throw conflict(`plugin "${nameOf(record)}" is enabled: disable it before its settings are changed`);
      await this.store.put({ ...record, settings: changeSettings(settingsOf(record), settings) });
    });
  }
}
