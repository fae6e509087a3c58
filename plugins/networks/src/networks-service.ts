import { inject, injectable } from '@gantry/core/driver';
import { toEndpoint } from './endpoints/to-endpoint.js';
import { AttachedContainers } from './networks/attached-containers.js';
import { DriverOfNetwork } from './networks/driver-of-network.js';
import { RestoreEndpoints } from './recovery/restore-endpoints.js';
import { ConnectContainer } from './sandboxes/connect-container.js';
import { DisconnectAbsentContainer } from './sandboxes/disconnect-absent-container.js';
import { DisconnectContainer } from './sandboxes/disconnect-container.js';
import { RenameContainer } from './sandboxes/rename-container.js';
import { SetUpSandbox } from './sandboxes/set-up-sandbox.js';
import { TearDownSandbox } from './sandboxes/tear-down-sandbox.js';
import type {
  Attachment,
  Endpoint,
  Network,
  NetworkContainers,
  NetworkService,
  OpenSandbox,
  SandboxRequest,
} from './service.js';
import { NetworkStore } from './store/network-store.js';

/** What other areas see of networks: each method is one use case. */
@injectable()
export class NetworksService implements NetworkService {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(AttachedContainers) private readonly containers: AttachedContainers,
    @inject(SetUpSandbox) private readonly setUpSandbox: SetUpSandbox,
    @inject(TearDownSandbox) private readonly tearDownSandbox: TearDownSandbox,
    @inject(ConnectContainer) private readonly connectContainer: ConnectContainer,
    @inject(DisconnectAbsentContainer) private readonly disconnectAbsentContainer: DisconnectAbsentContainer,
    @inject(DisconnectContainer) private readonly disconnectContainer: DisconnectContainer,
    @inject(RenameContainer) private readonly renameContainer: RenameContainer,
    @inject(RestoreEndpoints) private readonly restoreEndpoints: RestoreEndpoints,
  ) {}

  get(reference: string): Network {
    const network = this.store.resolve(reference);
    const { capabilities } = this.driverOf.get(network);
    return {
      id: network.id,
      name: network.name,
      driver: network.driver,
      scope: capabilities.scope,
      predefined: network.predefined,
      hostStack: capabilities.hostStack,
      userDefined: this.driverOf.isUserDefined(network),
    };
  }

  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox> {
    return this.setUpSandbox.setUp(request, options);
  }

  close(containerId: string): Promise<void> {
    return this.tearDownSandbox.tearDown(containerId);
  }

  async connect(containerId: string, attachment: Attachment): Promise<Endpoint> {
    return toEndpoint(this.store, await this.connectContainer.connect(containerId, attachment));
  }

  disconnect(containerId: string, networkId: string): Promise<void> {
    return this.disconnectContainer.disconnect(containerId, networkId);
  }

  disconnectAbsent(reference: string, networkId: string): Promise<void> {
    return this.disconnectAbsentContainer.disconnect(reference, networkId);
  }

  renamed(containerId: string, name: string): Promise<void> {
    return this.renameContainer.rename(containerId, name);
  }

  endpointsOf(containerId: string): readonly Endpoint[] {
    return this.store.endpointsOf(containerId).map((record) => toEndpoint(this.store, record));
  }

  restore(runningIds: readonly string[]): Promise<void> {
    return this.restoreEndpoints.restore(runningIds);
  }

  addContainers(containers: NetworkContainers): () => void {
    return this.containers.register(containers);
  }
}
