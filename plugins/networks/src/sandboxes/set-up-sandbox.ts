import { type Sandbox, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { JoinEndpoint } from '../endpoints/join-endpoint.js';
import { PrepareEndpoints } from '../endpoints/prepare-endpoints.js';
import { ReleaseAddresses } from '../endpoints/release-addresses.js';
import { toEndpoint } from '../endpoints/to-endpoint.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkEvents } from '../networks/network-events.js';
import { Resolvers } from '../resolver/resolvers.js';
import type { OpenSandbox, SandboxRequest } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { formatResolvConf, forwardersOf, mergeResolvConf, readHostResolvConf } from './resolv-conf.js';
import { TearDownSandbox } from './tear-down-sandbox.js';

/** Creates the sandbox of a container with an endpoint on each of its networks. See `NetworkService.open`. */
@injectable()
export class SetUpSandbox {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(PrepareEndpoints) private readonly prepareEndpoints: PrepareEndpoints,
    @inject(JoinEndpoint) private readonly joinEndpoint: JoinEndpoint,
    @inject(ReleaseAddresses) private readonly releaseAddresses: ReleaseAddresses,
    @inject(Resolvers) private readonly resolvers: Resolvers,
    @inject(TearDownSandbox) private readonly tearDownSandbox: TearDownSandbox,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  /** Calls for one container must not overlap. */
  async setUp(request: SandboxRequest, options: { readonly signal?: AbortSignal } = {}): Promise<OpenSandbox> {
    const { container, attachments } = request;
    await this.tearDownSandbox.tearDown(container.id, { silent: true });
    const host = await readHostResolvConf();
    const conf = mergeResolvConf(request.dns, host);
    const networks = attachments.map(({ networkId }) => this.store.resolve(networkId));
    const hostStack = networks.some((network) => this.driverOf.hasHostStack(network));
    const resolver = !hostStack && networks.some((network) => this.driverOf.isUserDefined(network));
    const records = await this.prepareEndpoints.prepare(container, attachments, networks);
    await this.#record(request, records, { resolver, nameservers: forwardersOf(request.dns, host) });
    try {
      crashPoint('network.sandbox.recorded');
      const sandbox = hostStack ? this.sandboxes.get().host : await this.#createSandbox(container.id);
      const joined: EndpointRecord[] = [];
      for (const record of records) joined.push(await this.joinEndpoint.join(record, sandbox, options));
      if (resolver) await this.resolvers.open(container.id);
      await this.store.change({ endpoints: joined });
      for (const record of joined) this.events.publishEndpoint('connect', record);
      return {
        path: hostStack ? undefined : sandbox.path,
        endpoints: joined.map((record) => toEndpoint(this.store, record)),
        resolvConf: formatResolvConf(conf, resolver),
      };
    } catch (error) {
      await this.tearDownSandbox.tearDown(container.id, { silent: true });
      throw error;
    }
  }

  async #record(
    { container }: SandboxRequest,
    endpoints: readonly EndpointRecord[],
    settings: { readonly resolver: boolean; readonly nameservers: readonly string[] },
  ): Promise<void> {
    try {
      const sandbox = { containerId: container.id, containerName: container.name, ...settings };
      await this.store.change({ endpoints, sandboxes: [sandbox] });
    } catch (error) {
      for (const endpoint of endpoints) await this.releaseAddresses.release(endpoint);
      throw error;
    }
  }

  /** Replaces a sandbox that an earlier removal failed to remove. */
  async #createSandbox(id: string): Promise<Sandbox> {
    const driver = this.sandboxes.get();
    try {
      return await driver.create(id);
    } catch (error) {
      if (kindOf(error) !== 'conflict') throw error;
      await driver.remove(id);
      return driver.create(id);
    }
  }
}
