import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import { EndpointService } from '@gantry/networks/service';
import { ContainerDirectories } from '../container-directories.js';
import type { Health } from '../health.js';
import { HostFacts } from '../host/host-facts.js';
import { LoggedRecords } from '../logging/logged-records.js';
import { cgroupNamespaceMode } from '../oci/container-namespaces.js';
import type { ContainerRecord } from '../record.js';
import { appArmorProfileOf } from '../security/app-armor-profile-of.js';
import { isAlive } from '../transitions.js';
import type { ListedFacts, LiveFacts } from '../wire/live-facts.js';
import { FactSources } from './fact-sources.js';

/** What is known of containers beyond their records. All of it comes from memory. */
@injectable()
export class ContainerFacts {
  constructor(
    @inject(FactSources) private readonly sources: FactSources,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'pathOf'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(HostFacts) private readonly host: Pick<HostFacts, 'appArmor' | 'cgroupVersion'>,
  ) {}

  /** For a list, which asks for a thousand containers at once. */
  listed(record: ContainerRecord): ListedFacts {
    // Endpoints of a run that has ended are being released.
    const endpoints = hasExited(record) ? [] : this.endpoints.endpointsOf(record.id);
    const health: Health | undefined = this.sources.healthOf(record.id);
    return { endpoints, ...(health !== undefined && { health }) };
  }

  live(record: ContainerRecord): LiveFacts {
    const { id, state } = record;
    return {
      ...this.listed(record),
      execIds: this.sources.execsOf(id),
      logPath: this.logs.pathOf(this.logged.of(record)),
      directory: this.directories.of(id),
      appArmorProfile: appArmorProfileOf(record, this.host),
      cgroupNamespace: cgroupNamespaceMode(record.hostConfig, this.host.cgroupVersion),
      ...(isAlive(state) && { sandboxPath: `/proc/${state.pid}/ns/net` }),
    };
  }
}

const hasExited = ({ state: { status } }: ContainerRecord): boolean =>
  status === 'exited' || status === 'restarting' || status === 'dead';
