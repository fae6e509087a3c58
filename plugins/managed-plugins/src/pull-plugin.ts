import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { parseReference } from '@gantry/images/service';
import type { RegistryTarget } from '@gantry/registry/service';
import { PluginInstaller } from './files/plugin-installer.js';
import { checkPrivileges, type Privilege, privilegesOf } from './manifest/privileges.js';
import { PluginEvents } from './store/plugin-events.js';
import type { PluginRecord } from './store/plugin-record.js';
import { canonicalName, PluginStore } from './store/plugin-store.js';

interface PullOptions {
  /** What it will be called; by default as it is at its registry. */
  readonly name?: string | undefined;
  /** What it may do. Undefined is everything: clients before 1.25 learn of it by the answer. */
  readonly granted?: readonly Privilege[];
  readonly signal: AbortSignal;
}

/** Spec: POST /plugins/pull. */
@injectable()
export class PullPlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(PluginInstaller) private readonly installer: PluginInstaller,
    @inject(PluginEvents) private readonly events: PluginEvents,
  ) {}

  /**
   * Installs a plugin. Resolves to its privileges once enabled. Rejects `conflict` when it is installed already,
   * `forbidden` when it needs privileges that are not granted.
   */
  pull(target: RegistryTarget, { name: alias, granted, signal }: PullOptions): Promise<readonly Privilege[]> {
    const options = { signal };
    return this.store.install(alias || target.reference, async (name) => {
      const { digest, repository, tag = 'latest' } = parseReference(name);
      const reference = canonicalName(target.reference);
      const resolved = await this.installer.resolve({ ...target, reference }, options);
      if (granted !== undefined) checkPrivileges(name, resolved.manifest, granted);
      const files = await this.installer.install(resolved, options);
      const { digest: manifestDigest, manifest } = resolved;
      const installed = { id: files, files, digest: manifestDigest, manifest };
      const record: PluginRecord = { ...installed, repository, tag: digest ?? tag, remote: reference, enabled: false };
      crashPoint('plugin.pull.installed');
      await this.store.put(record);
      crashPoint('plugin.pull.recorded');
      this.events.publish('pull', record);
      return privilegesOf(record.manifest);
    });
  }
}
