import type { Sandbox } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { AssignRoles } from '../endpoints/assign-roles.js';
import { JoinEndpoint } from '../endpoints/join-endpoint.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { Resolvers } from '../resolver/resolvers.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';

/** Joins a recorded endpoint to the sandbox of a running container. */
@injectable()
export class JoinRunning {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(JoinEndpoint) private readonly joinEndpoint: JoinEndpoint,
    @inject(AssignRoles) private readonly assignRoles: AssignRoles,
    @inject(Resolvers) private readonly resolvers: Resolvers,
  ) {}

  /** It takes over the default routes that are its by priority. On a user-defined network the sandbox has the embedded resolver from now on. */
  async join(record: EndpointRecord, sandbox: Sandbox): Promise<EndpointRecord> {
    const network = this.store.resolve(record.networkId);
    const joined = await this.driverOf.asOneCall([network], 'connecting a container', () =>
      this.#join(record, sandbox),
    );
    await this.assignRoles.assign(record.containerId);
    return this.store.endpointsOf(record.containerId).find(({ id }) => id === joined.id) ?? joined;
  }

  async #join(record: EndpointRecord, sandbox: Sandbox): Promise<EndpointRecord> {
    const joined = await this.joinEndpoint.join(record, sandbox);
    const resolver = this.driverOf.isUserDefined(this.store.resolve(record.networkId));
    if (resolver) await this.resolvers.open(record.containerId);
    const sandboxRecord = this.store.sandbox(record.containerId);
    await this.store.change({
      endpoints: [joined],
      ...(resolver && sandboxRecord !== undefined && { sandboxes: [{ ...sandboxRecord, resolver }] }),
    });
    return joined;
  }
}
