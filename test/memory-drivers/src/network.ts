import { isDeepStrictEqual } from 'node:util';
import {
  type JoinedEndpoint,
  type JoinRequest,
  type NetworkCapabilities,
  type NetworkDriver,
  NetworkDrivers,
  type NetworkSpec,
  type PortRequest,
  type PublishedPort,
  type RestoredEndpoint,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, forbidden, invalidArgument, notFound } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';

interface MemoryNetwork {
  readonly spec: NetworkSpec;
  readonly endpoints: Map<string, JoinedEndpoint>;
}

const ephemeral = { first: 32768, last: 60999 };

/** Networks that connect nothing. Ports are allocated and released as if they were the host's. */
class MemoryNetworks implements NetworkDriver {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: true,
    addresses: true,
    publish: true,
    hostStack: false,
    nodes: true,
    allocates: true,
    firewall: 'memory',
  };
  readonly #networks = new Map<string, MemoryNetwork>();
  /** The ports an endpoint asked for. */
  readonly #asked = new WeakMap<JoinedEndpoint, readonly PortRequest[]>();
  #nextPort = ephemeral.first;

  validate({ options }: NetworkSpec): void {
    const value = options['memory.fail'];
    if (value !== undefined) throw invalidArgument(`invalid option memory.fail: "${value}" is not accepted`);
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    this.validate(spec);
    if (!this.#networks.has(spec.id)) this.#networks.set(spec.id, { spec, endpoints: new Map() });
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.#networks.get(networkId);
    if (network !== undefined && network.endpoints.size > 0) {
      const { name } = network.spec;
      throw forbidden(`error while removing network: network ${name} id ${networkId} has active endpoints`);
    }
    this.#networks.delete(networkId);
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const network = this.#networks.get(request.networkId);
    if (network === undefined) throw notFound(`network ${request.networkId} not found`);
    const known = network.endpoints.get(request.endpointId);
    if (known !== undefined) return this.#joinAgain(network, known, request);
    const macAddress = macOf(request);
    const gateway = network.spec.internal ? undefined : network.spec.pools[0]?.gateway?.split('/', 1)[0];
    const joined = {
      macAddress,
      ...(gateway !== undefined && { gateway }),
      ports: network.spec.internal ? [] : this.#publish(request.ports),
    };
    network.endpoints.set(request.endpointId, joined);
    this.#asked.set(joined, request.ports);
    return joined;
  }

  #joinAgain(network: MemoryNetwork, known: JoinedEndpoint, request: JoinRequest): JoinedEndpoint {
    if (isDeepStrictEqual(this.#asked.get(known), request.ports)) return known;
    network.endpoints.set(request.endpointId, { ...known, ports: [] });
    const joined = { ...known, ports: network.spec.internal ? [] : this.#publish(request.ports) };
    network.endpoints.set(request.endpointId, joined);
    this.#asked.set(joined, request.ports);
    return joined;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    this.#networks.get(networkId)?.endpoints.delete(endpointId);
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    this.#networks.clear();
    for (const spec of networks) this.#networks.set(spec.id, { spec, endpoints: new Map() });
    for (const { request, joined } of endpoints) {
      this.#networks.get(request.networkId)?.endpoints.set(request.endpointId, joined);
      this.#asked.set(joined, request.ports);
    }
  }

  /** There is no traffic between nodes. */
  async nodes(): Promise<void> {}

  async allocateNetwork({ options }: NetworkSpec): Promise<Readonly<Record<string, string>>> {
    return options;
  }

  async freeNetwork(): Promise<void> {}

  /** All of them or none: nothing is remembered before the endpoint is. */
  #publish(requests: readonly PortRequest[]): PublishedPort[] {
    const taken = [...this.#networks.values()].flatMap(({ endpoints }) =>
      [...endpoints.values()].flatMap(({ ports }) => ports),
    );
    for (const request of requests) taken.push(...this.#publishOne(request, taken));
    return taken.slice(taken.length - requests.reduce((count, { hostIp }) => count + addressesOf(hostIp).length, 0));
  }

  #publishOne(request: PortRequest, taken: readonly PublishedPort[]): PublishedPort[] {
    const { protocol, containerPort, hostPort, hostPortEnd = hostPort } = request;
    const addresses = addressesOf(request.hostIp);
    const first = hostPort === 0 ? this.#nextPort : hostPort;
    const last = hostPort === 0 ? ephemeral.last : hostPortEnd;
    for (let port = first; port <= last; port++) {
      const published = addresses.map((hostIp) => ({ protocol, containerPort, hostIp, hostPort: port }));
      if (published.some((each) => taken.some((other) => collide(each, other)))) continue;
      if (hostPort === 0) this.#nextPort = port === ephemeral.last ? ephemeral.first : port + 1;
      return published;
    }
    const range = first === last ? `${first}` : `${first}-${last}`;
    throw conflict(`Bind for ${addresses[0]}:${range} failed: port is already allocated`);
  }
}

const addressesOf = (hostIp: string | undefined): readonly string[] =>
  hostIp === undefined ? ['0.0.0.0', '::'] : [hostIp];

const isEvery = (address: string): boolean => address === '0.0.0.0' || address === '::';

const collide = (one: PublishedPort, other: PublishedPort): boolean =>
  one.protocol === other.protocol &&
  one.hostPort === other.hostPort &&
  one.hostIp.includes(':') === other.hostIp.includes(':') &&
  (one.hostIp === other.hostIp || isEvery(one.hostIp) || isEvery(other.hostIp));

function macOf({ macAddress, ipv4 }: JoinRequest): string {
  if (macAddress !== undefined) {
    if (/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(macAddress)) return macAddress.toLowerCase();
    throw invalidArgument(`invalid MAC address ${macAddress}`);
  }
  const bytes = (ipv4 ?? '0.0.0.0').split('/', 1)[0]?.split('.') ?? [];
  return ['02', '42', ...bytes.map((byte) => Number(byte).toString(16).padStart(2, '0'))].join(':');
}

export const network = defineDriver({
  id: 'memory',
  provides: NetworkDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new MemoryNetworks(),
});
