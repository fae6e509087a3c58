import { type Sandbox, type SandboxDriver, SandboxDrivers, type UserNamespaceRequest } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { JoinEndpoint } from '../endpoints/join-endpoint.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkEvents } from '../networks/network-events.js';
import { Resolvers } from '../resolver/resolvers.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';

interface OpenRequest {
  readonly containerId: string;
  readonly endpoints: readonly EndpointRecord[];
  readonly hostStack: boolean;
  readonly resolver: boolean;
  readonly userNamespace?: UserNamespaceRequest;
}

interface OpenedEndpoints {
  /** Undefined: the host's network stack. */
  readonly path: string | undefined;
  readonly userNamespace?: string;
  readonly endpoints: readonly EndpointRecord[];
}

/** Creates a recorded sandbox and joins its endpoints. */
@injectable()
export class OpenEndpoints {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(JoinEndpoint) private readonly joinEndpoint: JoinEndpoint,
    @inject(Resolvers) private readonly resolvers: Resolvers,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  /** Publishes `connect` for each endpoint. On rejection the caller tears the sandbox down. */
  async open(
    { containerId, endpoints, hostStack, resolver, userNamespace }: OpenRequest,
    options: { readonly signal?: AbortSignal },
  ): Promise<OpenedEndpoints> {
    const sandbox = hostStack
      ? this.sandboxes.get().host
      : await this.#createSandbox(containerId, userNamespace && { userNamespace });
    const networks = endpoints.map(({ networkId }) => this.store.network(networkId));
    const joined = await this.driverOf.asOneCall(networks, 'connecting a container', async () => {
      const records: EndpointRecord[] = [];
      for (const endpoint of endpoints) records.push(await this.joinEndpoint.join(endpoint, sandbox, options));
      if (resolver) await this.resolvers.open(containerId);
      await this.store.change({ endpoints: records });
      return records;
    });
    for (const endpoint of joined) this.events.publishEndpoint('connect', endpoint);
    return {
      path: hostStack ? undefined : sandbox.path,
      ...(sandbox.userNamespace !== undefined && { userNamespace: sandbox.userNamespace }),
      endpoints: joined,
    };
  }

  /** Replaces a sandbox that an earlier removal failed to remove. */
  async #createSandbox(id: string, options: Parameters<SandboxDriver['create']>[1]): Promise<Sandbox> {
    const driver = this.sandboxes.get();
    try {
      return await driver.create(id, options);
    } catch (error) {
      if (kindOf(error) !== 'conflict') throw error;
      await driver.remove(id);
      return driver.create(id, options);
    }
  }
}
