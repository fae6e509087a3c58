import { type Sandbox, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { JoinEndpoint } from '../endpoints/join-endpoint.js';
import { LeaveEndpoint } from '../endpoints/leave-endpoint.js';
import { PrepareEndpoint } from '../endpoints/prepare-endpoint.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { NetworkEvents } from '../networks/network-events.js';
import { Resolvers } from '../resolver/resolvers.js';
import type { Attachment } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';

/** Joins a running container to one more network. See `NetworkService.connect`. */
@injectable()
export class ConnectContainer {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(PrepareEndpoint) private readonly prepareEndpoint: PrepareEndpoint,
    @inject(JoinEndpoint) private readonly joinEndpoint: JoinEndpoint,
    @inject(LeaveEndpoint) private readonly leaveEndpoint: LeaveEndpoint,
    @inject(Resolvers) private readonly resolvers: Resolvers,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  /** Calls for one container must not overlap. On rejection everything is rolled back. */
  async connect(containerId: string, attachment: Attachment): Promise<EndpointRecord> {
    const network = this.store.resolve(attachment.networkId);
    const present = this.store.endpointsOf(containerId);
    const name = this.store.sandbox(containerId)?.containerName ?? present[0]?.containerName ?? containerId;
    const sandbox = await this.#sandboxFor(containerId);
    this.#refuseConflicts(name, network, present);
    const hasDefaultRoute = present.some(({ request }) => request.defaultRoute);
    const record = await this.prepareEndpoint.prepare({
      container: { id: containerId, name },
      attachment: this.#isPublisher(network, present) ? attachment : { ...attachment, ports: [] },
      network,
      index: firstFreeIndex(present),
      defaultRoute: !hasDefaultRoute && this.driverOf.canRoute(network),
    });
    try {
      await this.store.change({ endpoints: [record] });
      crashPoint('network.connect.recorded');
      const joined = await this.#join(record, network, sandbox);
      this.events.publishEndpoint('connect', joined);
      return joined;
    } catch (error) {
      await this.leaveEndpoint.leave(record);
      await this.store.change({ removeEndpoints: [record.id] });
      throw error;
    }
  }

  async #sandboxFor(containerId: string): Promise<Sandbox> {
    const sandbox = await this.sandboxes.get().get(containerId);
    if (sandbox !== undefined) return sandbox;
    throw forbidden(
      'container sharing network namespace with another container or host cannot be connected to any other network',
    );
  }

  #refuseConflicts(name: string, network: NetworkRecord, present: readonly EndpointRecord[]): void {
    if (present.some(({ networkId }) => networkId === network.id)) {
      throw forbidden(`endpoint with name ${name} already exists in network ${network.name}`);
    }
    if (this.driverOf.hasHostStack(network)) throw forbidden('container cannot be connected to host network');
  }

  #isPublisher(network: NetworkRecord, present: readonly EndpointRecord[]): boolean {
    const canPublish = ({ networkId }: EndpointRecord) => this.driverOf.canPublish(this.store.resolve(networkId));
    return this.driverOf.canPublish(network) && !present.some(canPublish);
  }

  async #join(record: EndpointRecord, network: NetworkRecord, sandbox: Sandbox): Promise<EndpointRecord> {
    const joined = await this.joinEndpoint.join(record, sandbox);
    const resolver = this.driverOf.isUserDefined(network);
    if (resolver) await this.resolvers.open(record.containerId);
    const sandboxRecord = this.store.sandbox(record.containerId);
    await this.store.change({
      endpoints: [joined],
      ...(resolver && sandboxRecord !== undefined && { sandboxes: [{ ...sandboxRecord, resolver }] }),
    });
    return joined;
  }
}

/** Interfaces are `eth0`, `eth1` … in joining order; a number that became free is used again. */
function firstFreeIndex(present: readonly EndpointRecord[]): number {
  const used = new Set(present.map(({ request }) => request.interfaceName));
  let index = 0;
  while (used.has(`eth${index}`)) index += 1;
  return index;
}
