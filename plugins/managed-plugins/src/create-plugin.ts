import type { Readable } from 'node:stream';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { parseReference } from '@gantry/images/service';
import { PluginPackager } from './files/plugin-packager.js';
import { PluginEvents } from './store/plugin-events.js';
import type { PluginRecord } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';

/** API 1.25: POST /plugins/create. */
@injectable()
export class CreatePlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(PluginPackager) private readonly packager: PluginPackager,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /**
   * Installs a plugin from an archive of `config.json` and `rootfs`. Durable when it resolves. Rejects `conflict` when the name is
   * taken, `invalid-argument` when the archive holds no plugin.
   */
  create(reference: string, context: Readable, options: { readonly signal: AbortSignal }): Promise<void> {
    return this.store.install(reference, async (name) => {
      const { digest, repository, tag = 'latest' } = parseReference(name);
      if (digest !== undefined) throw invalidArgument('canonical references are not permitted');
      const installed = await this.packager.install(context, name, options);
      crashPoint('plugin.create.installed');
      const record: PluginRecord = { ...installed, id: installed.files, repository, tag, enabled: false };
      await this.store.put(record);
      crashPoint('plugin.create.recorded');
      this.events.publish('create', record);
    });
  }
}
