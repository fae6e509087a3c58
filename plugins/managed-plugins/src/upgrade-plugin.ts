import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import type { RegistryTarget } from '@gantry/registry/service';
import { PluginData } from './files/plugin-data.js';
import { PluginFiles } from './files/plugin-files.js';
import { PluginInstaller } from './files/plugin-installer.js';
import { checkPrivileges, type Privilege } from './manifest/privileges.js';
import { PluginEvents } from './store/plugin-events.js';
import { nameOf } from './store/plugin-record.js';
import { canonicalName, PluginStore } from './store/plugin-store.js';

interface UpgradeOptions {
  /** What the new version may do; by default what the installed one may. */
  readonly granted?: readonly Privilege[];
  readonly signal: AbortSignal;
}

/** API 1.26: POST /plugins/(name)/upgrade. */
@injectable()
export class UpgradePlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(PluginInstaller) private readonly installer: PluginInstaller,
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(PluginData) private readonly data: PluginData,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /**
   * Replaces a disabled plugin by the version that `target` leads to, where it was pulled from when empty; id, name and data stay, settings do not.
   * Rejects `conflict` when it is enabled, `forbidden` when the version needs privileges that are not granted.
   */
  upgrade(reference: string, target: RegistryTarget, { granted, signal }: UpgradeOptions): Promise<void> {
    return this.store.change(reference, async (record) => {
      const name = nameOf(record);
      if (record.enabled) throw conflict(`plugin "${name}" is enabled: disable it before the upgrade`);
      const remote = target.reference === '' ? (record.remote ?? name) : canonicalName(target.reference);
      const resolved = await this.installer.resolve({ ...target, reference: remote }, { signal });
      checkPrivileges(remote, resolved.manifest, granted ?? record.manifest);
      const files = await this.installer.install(resolved, { signal });
      crashPoint('plugin.upgrade.installed');
      await this.data.keep(record);
      crashPoint('plugin.upgrade.kept');
      const { digest, manifest } = resolved;
      // What could be set in the earlier version, the new one may not have.
      const { settings: _, ...installed } = record;
      await this.store.put({ ...installed, remote, files, digest, manifest });
      crashPoint('plugin.upgrade.recorded');
      await this.files.remove(record.files);
      this.events.publish('upgrade', record);
    });
  }
}
