import { type RuntimeDriver, RuntimeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { EngineIdentity } from './engine-identity.js';
import { EngineObjects } from './engine-objects.js';
import { HostFacts } from './host-facts.js';
import { SystemSettings } from './system-settings.js';

/** Publishes that the configuration was reloaded, with the settings as they are now. Spec: Events, daemon. */
@injectable()
export class PublishReload {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(EngineIdentity) private readonly identity: EngineIdentity,
    @inject(HostFacts) private readonly host: HostFacts,
    @inject(EngineObjects) private readonly objects: EngineObjects,
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(SystemSettings) private readonly settings: SystemSettings,
  ) {}

  publish(): void {
    const { labels, debug } = this.settings.current;
    const { defaultRegistry = '', mirrors = {}, insecureRegistries = [] } = this.objects.sourceSettings() ?? {};
    this.events.publish({
      type: 'daemon',
      action: 'reload',
      actor: {
        id: this.identity.id,
        attributes: {
          name: this.host.hostname,
          debug: String(debug),
          'default-runtime': this.runtimes.defaultId ?? '',
          'insecure-registries': JSON.stringify(insecureRegistries),
          labels: JSON.stringify(labels),
          'live-restore': String(this.runtimes.get().capabilities.survivesDaemon),
          'registry-mirrors': JSON.stringify(mirrors[defaultRegistry] ?? []),
        },
      },
    });
  }
}
