import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { toEndpoint } from '../endpoints/to-endpoint.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import type { OpenSandbox, SandboxRequest } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import { OpenEndpoints } from './open-endpoints.js';
import { RecordSandbox } from './record-sandbox.js';
import { ResolverSettings } from './resolver-settings.js';
import { TearDownSandbox } from './tear-down-sandbox.js';

/** Creates the sandbox of a container with an endpoint on each of its networks. See `SandboxService.open`. */
@injectable()
export class SetUpSandbox {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(ResolverSettings) private readonly settings: ResolverSettings,
    @inject(RecordSandbox) private readonly recordSandbox: RecordSandbox,
    @inject(OpenEndpoints) private readonly openEndpoints: OpenEndpoints,
    @inject(TearDownSandbox) private readonly tearDownSandbox: TearDownSandbox,
  ) {}

  /** Calls for one container must not overlap. */
  async setUp(request: SandboxRequest, options: { readonly signal?: AbortSignal } = {}): Promise<OpenSandbox> {
    const { container, attachments } = request;
    await this.tearDownSandbox.tearDown(container.id, { silent: true });
    const networks = attachments.map(({ networkId }) => this.store.resolve(networkId));
    const hostStack = networks.some((network) => this.driverOf.hasHostStack(network));
    const resolver = !hostStack && networks.some((network) => this.driverOf.isUserDefined(network));
    const { nameservers, resolvConf } = await this.settings.read(request.dns, { resolver });
    const recorded = await this.recordSandbox.record(request, networks, { resolver, nameservers });
    try {
      crashPoint('network.sandbox.recorded');
      const { userNamespace } = request;
      const opening = { containerId: container.id, endpoints: recorded, hostStack, resolver };
      const { endpoints, ...opened } = await this.openEndpoints.open(
        { ...opening, ...(userNamespace && { userNamespace }) },
        options,
      );
      return { ...opened, endpoints: endpoints.map((record) => toEndpoint(this.store, record)), resolvConf };
    } catch (error) {
      await this.tearDownSandbox.tearDown(container.id, { silent: true });
      throw error;
    }
  }
}
