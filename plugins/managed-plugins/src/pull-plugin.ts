import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { parseReference } from '@gantry/images/service';
import type { RegistryTarget } from '@gantry/registry/service';
import { PluginInstaller } from './files/plugin-installer.js';
import { type Privilege, privilegesOf } from './manifest/privileges.js';
import { PluginEvents } from './store/plugin-events.js';
import type { PluginRecord } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';

/** Spec: POST /plugins/pull. */
@injectable()
export class PullPlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(PluginInstaller) private readonly installer: PluginInstaller,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /** Installs a plugin. Resolves to its privileges once enabled. Rejects `conflict` when it is installed already. */
  pull(target: RegistryTarget, options: { readonly signal: AbortSignal }): Promise<readonly Privilege[]> {
    return this.store.install(target.reference, async (name) => {
      const { digest, repository, tag = 'latest' } = parseReference(name);
      const resolved = await this.installer.resolve({ ...target, reference: name }, options);
      const files = await this.installer.install(resolved, options);
      const { digest: manifestDigest, manifest } = resolved;
      const installed = { id: files, files, digest: manifestDigest, manifest };
      const record: PluginRecord = { ...installed, repository, tag: digest ?? tag, enabled: false };
      crashPoint('plugin.pull.installed');
      await this.store.put(record);
      crashPoint('plugin.pull.recorded');
      this.events.publish('pull', record);
      return privilegesOf(record.manifest);
    });
  }
}
