import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkNode,
  NetworkPool,
  NetworkSpec,
  PublishedPort,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { forbidden, internal as internalError, kindOf, notFound } from '@gantry/core/errors';
import { asObject, asText, type PluginAnswer } from '../client/plugin-answer.js';
import type { CallOptions, PluginClient } from '../client/plugin-client.js';
import { AnnouncedNodes } from './announced-nodes.js';
import type { InterfacePlacement } from './interface-placement.js';
import { type JoinAnswer, parseJoinAnswer } from './parse-join-answer.js';
import { fromPortMap, portMapKey, toPortMap } from './port-map.js';

interface Endpoint {
  readonly request: JoinRequest;
  readonly joined: JoinedEndpoint;
  /** Undefined for an endpoint that an earlier daemon joined. */
  readonly answer: JoinAnswer | undefined;
}

/** Number of removed networks that are remembered. */
const maxRemoved = 1000;

/** For calls that change the host, in milliseconds. */
const changeTimeout = 60_000;

/** `DiscoveryType` of a node, the only one that plugins are sent. */
const nodeDiscovery = 1;

/** A plugin as a network driver: the plugin makes interfaces, the engine places them into sandboxes. */
export class RemoteNetworks implements NetworkDriver {
  /** Undefined until the plugin was asked, as `#connectivity`. */
  #scope: NetworkCapabilities['scope'] | undefined;
  /** Of the traffic of its networks: a plugin of global connectivity is sent the nodes. */
  #connectivity: NetworkCapabilities['scope'] | undefined;
  /** Undefined until they are known. */
  #nodes: readonly NetworkNode[] | undefined;
  readonly #announced: AnnouncedNodes;
  readonly #networks = new Map<string, Map<string, Endpoint>>();
  /** Networks made before the plugin joined; it may have endpoints of them that are unknown here. */
  readonly #older = new Set<string>();
  /** The networks removed last. */
  readonly #removed = new Set<string>();

  constructor(
    private readonly client: PluginClient,
    private readonly log: Logger,
    private readonly placement: InterfacePlacement,
    /** Where the nodes are kept that the plugin knows; undefined: they are not. */
    nodesFile?: string,
  ) {
    this.#announced = new AnnouncedNodes(nodesFile);
  }

  get capabilities(): NetworkCapabilities {
    return {
      scope: this.#scope ?? 'local',
      userDefined: true,
      addresses: true,
      publish: true,
      hostStack: false,
      nodes: this.#connectivity !== 'local',
      allocates: this.#scope !== 'local',
    };
  }

  /** The networks of this driver. */
  get uses(): readonly string[] {
    return [...this.#networks.keys()].map((id) => `network ${id}`);
  }

  /** Queries the plugin's capabilities. It may have just started: it is sent the nodes of the swarm (again). */
  async loadCapabilities(): Promise<void> {
    const { ConnectivityScope, Scope } = await this.client.call('NetworkDriver.GetCapabilities');
    this.#scope = toScope(Scope);
    this.#connectivity = asText(ConnectivityScope) === undefined ? this.#scope : toScope(ConnectivityScope);
    this.#announced.restarted();
    await this.#announceNodes();
  }

  /** Rejects `unavailable` when the plugin does not answer; nodes that it refuses are logged. */
  async nodes(nodes: readonly NetworkNode[]): Promise<void> {
    this.#nodes = nodes;
    await this.#announceNodes();
  }

  /** Rejects `internal` with the plugin's message when it refuses the network. */
  async allocateNetwork({ id, options, pools }: NetworkSpec): Promise<Readonly<Record<string, string>>> {
    const data = (isV6: boolean) => toIpamDataOf(pools, isV6).map((pool) => ({ ...pool, AddressSpace: '' }));
    const answer = await this.#call('AllocateNetwork', {
      NetworkID: id,
      Options: options,
      IPv4Data: data(false),
      IPv6Data: data(true),
    });
    return allocatedOptions(answer) ?? options;
  }

  async freeNetwork(networkId: string): Promise<void> {
    await this.#call('FreeNetwork', { NetworkID: networkId });
  }

  /** The plugin validates options itself, in `CreateNetwork`. */
  validate(): void {}

  async createNetwork(network: NetworkSpec): Promise<void> {
    if (this.#networks.has(network.id)) return;
    await this.#create(network);
    this.#networks.set(network.id, new Map());
  }

  async removeNetwork(networkId: string): Promise<void> {
    const endpoints = this.#networks.get(networkId);
    if (endpoints === undefined && this.#removed.has(networkId)) return;
    if (endpoints !== undefined && endpoints.size > 0) {
      throw forbidden(`network ${networkId} has active endpoints`);
    }
    if (endpoints === undefined) await this.#attempt('DeleteNetwork', { NetworkID: networkId });
    else await this.#call('DeleteNetwork', { NetworkID: networkId });
    this.#networks.delete(networkId);
    this.#older.delete(networkId);
    this.#rememberRemoved(networkId);
  }

  async join(request: JoinRequest, options: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    const endpoints = this.#endpointsOf(request.networkId);
    const known = endpoints.get(request.endpointId);
    const endpoint =
      known === undefined ? await this.#joinNew(request, options) : await this.#updateJoined(known, request, options);
    endpoints.set(request.endpointId, endpoint);
    return endpoint.joined;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const endpoint = this.#networks.get(networkId)?.get(endpointId);
    if (endpoint === undefined) return this.#leaveUnknown(networkId, endpointId);
    const ids = idsOf(endpoint.request);
    if (endpoint.request.ports.length > 0) await this.#attempt('RevokeExternalConnectivity', ids);
    if (endpoint.answer !== undefined) this.placement.restore(endpoint.request, endpoint.answer);
    await this.#attempt('Leave', ids);
    await this.#call('DeleteEndpoint', ids);
    this.#networks.get(networkId)?.delete(endpointId);
  }

  /** An unknown network was made before the plugin joined; the plugin rejects calls for one it does not have. */
  #endpointsOf(networkId: string): Map<string, Endpoint> {
    const known = this.#networks.get(networkId);
    if (known !== undefined) return known;
    if (this.#removed.has(networkId)) throw notFound(`network ${networkId} not found`);
    const endpoints = new Map<string, Endpoint>();
    this.#networks.set(networkId, endpoints);
    this.#older.add(networkId);
    return endpoints;
  }

  async #leaveUnknown(networkId: string, endpointId: string): Promise<void> {
    const isOlder = this.#older.has(networkId) || !(this.#networks.has(networkId) || this.#removed.has(networkId));
    if (!isOlder) return;
    const ids = { NetworkID: networkId, EndpointID: endpointId };
    await this.#attempt('Leave', ids);
    await this.#attempt('DeleteEndpoint', ids);
  }

  #rememberRemoved(removed: string): void {
    this.#removed.add(removed);
    const [oldest] = this.#removed;
    if (this.#removed.size > maxRemoved && oldest !== undefined) this.#removed.delete(oldest);
  }

  /** Creates every network again, for a plugin that lost its state; one that still has them may refuse. */
  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    this.#networks.clear();
    for (const network of networks) {
      this.#networks.set(network.id, new Map());
      await this.#create(network).catch((error: unknown) => {
        if (kindOf(error) !== 'internal') throw error;
        this.#logFailure('CreateNetwork', network.id, error);
      });
    }
    for (const { request, joined } of endpoints) {
      const answer: JoinAnswer = {
        sourceName: undefined,
        prefix: undefined,
        gateway: joined.gateway,
        ipv6Gateway: joined.ipv6Gateway,
        routes: [],
      };
      this.#networks.get(request.networkId)?.set(request.endpointId, { request, joined, answer });
    }
  }

  async #announceNodes(): Promise<void> {
    if (this.#nodes === undefined || this.#connectivity !== 'global') return;
    await this.#announced.update(this.#nodes, (method, node) => this.#announce(method, node));
  }

  async #announce(method: 'DiscoverNew' | 'DiscoverDelete', { address, id, isSelf }: NetworkNode): Promise<void> {
    const data = { Address: address, BindAddress: isSelf ? address : '', Self: isSelf };
    try {
      await this.#call(method, { DiscoveryType: nodeDiscovery, DiscoveryData: data });
    } catch (error) {
      if (kindOf(error) !== 'internal') throw error;
      this.#logFailure(method, id, error);
    }
  }

  async #create({ id, options, internal, ipv6, pools }: NetworkSpec): Promise<void> {
    await this.#call('CreateNetwork', {
      NetworkID: id,
      Options: {
        'com.docker.network.generic': options,
        'com.docker.network.enable_ipv6': ipv6,
        ...(internal && { 'com.docker.network.internal': true }),
      },
      IPv4Data: toIpamDataOf(pools, false),
      IPv6Data: toIpamDataOf(pools, true),
    });
  }

  /** On rejection the endpoint is deleted again. */
  async #joinNew(request: JoinRequest, options: CallOptions): Promise<Endpoint> {
    const { ipv4 = '', ipv6 = '', ports, sandbox } = request;
    const ids = idsOf(request);
    const portMap = { [portMapKey]: toPortMap(ports) };
    const made = await this.#call(
      'CreateEndpoint',
      {
        ...ids,
        Interface: { Address: ipv4, AddressIPv6: ipv6, MacAddress: request.macAddress ?? '' },
        Options: { ...request.options, ...portMap, 'com.docker.network.endpoint.exposedports': exposed(request) },
      },
      options,
    );
    let hasJoined = false;
    try {
      const asked = request.macAddress ?? asText(asObject(made.Interface)?.MacAddress);
      const macAddress = (asked ?? randomMac()).toLowerCase();
      const answer = parseJoinAnswer(
        await this.#call('Join', { ...ids, SandboxKey: sandbox.path, Options: {} }, options),
      );
      hasJoined = true;
      this.placement.place({ ...request, macAddress }, answer);
      const published = ports.length === 0 ? [] : await this.#publish(request, options);
      const { gateway, ipv6Gateway } = answer;
      const joined: JoinedEndpoint = {
        macAddress,
        ...(gateway !== undefined && { gateway }),
        ...(ipv6Gateway !== undefined && { ipv6Gateway }),
        ports: published,
      };
      return { request, joined, answer };
    } catch (error) {
      if (hasJoined) await this.#attempt('Leave', ids);
      await this.#attempt('DeleteEndpoint', ids);
      throw error;
    }
  }

  async #updateJoined(known: Endpoint, request: JoinRequest, options: CallOptions): Promise<Endpoint> {
    let { joined } = known;
    if (!isDeepStrictEqual(known.request.ports, request.ports)) {
      if (known.request.ports.length > 0) await this.#call('RevokeExternalConnectivity', idsOf(request), options);
      joined = { ...joined, ports: request.ports.length === 0 ? [] : await this.#publish(request, options) };
    }
    if (known.request.defaultRoute !== request.defaultRoute && known.answer !== undefined) {
      this.placement.changeDefaultRoute(request, known.answer);
    }
    return { ...known, request, joined };
  }

  /** The ports that the plugin reports as published; none when it reports none. */
  async #publish(request: JoinRequest, options: CallOptions): Promise<readonly PublishedPort[]> {
    const ids = idsOf(request);
    const Options = { [portMapKey]: toPortMap(request.ports) };
    await this.#call('ProgramExternalConnectivity', { ...ids, Options }, options);
    const { Value } = await this.#call('EndpointOperInfo', ids, options);
    return fromPortMap(asObject(Value)?.[portMapKey]);
  }

  #call(method: string, body: object, options: CallOptions = {}) {
    return this.client.call(`NetworkDriver.${method}`, body, { timeout: changeTimeout, ...options });
  }

  /** Rolls back one step; a failure is logged so that the other steps still run. */
  async #attempt(method: string, ids: { readonly NetworkID: string; readonly EndpointID?: string }): Promise<void> {
    const what = ids.EndpointID ?? ids.NetworkID;
    await this.#call(method, ids).catch((error: unknown) => this.#logFailure(method, what, error));
  }

  #logFailure(method: string, what: string, error: unknown): void {
    const facts = { event: 'plugin.network-step-failed', plugin: this.client.name, method, what };
    this.log.warn({ ...facts, error }, 'network plugin call failed');
  }
}

const idsOf = ({ networkId, endpointId }: JoinRequest) => ({ NetworkID: networkId, EndpointID: endpointId });

interface IpamData {
  readonly AddressSpace: string;
  readonly Pool: string;
  readonly Gateway: string;
  readonly AuxAddresses: Readonly<Record<string, string>>;
}

const toIpamData = ({ subnet, gateway }: NetworkPool): IpamData => ({
  AddressSpace: 'LocalDefault',
  Pool: subnet,
  Gateway: gateway ?? '',
  AuxAddresses: {},
});

const toIpamDataOf = (pools: readonly NetworkPool[], isV6: boolean): readonly IpamData[] =>
  pools.filter(({ subnet }) => subnet.includes(':') === isV6).map(toIpamData);

const toScope = (text: unknown): NetworkCapabilities['scope'] =>
  asText(text)?.toLowerCase() === 'global' ? 'global' : 'local';

/** Undefined when the plugin answered none. @throws EngineError `internal` naming one that is no text. */
function allocatedOptions({ Options }: PluginAnswer): Readonly<Record<string, string>> | undefined {
  const options = asObject(Options);
  for (const [name, value] of Object.entries(options ?? {})) {
    if (typeof value === 'string') continue;
    throw internalError(`NetworkDriver.AllocateNetwork: the plugin answered Options.${name} ${JSON.stringify(value)}`);
  }
  return options as Readonly<Record<string, string>> | undefined;
}

interface ExposedPort {
  /** The IP protocol's number. */
  readonly Proto: number;
  readonly Port: number;
}

const exposed = ({ exposedPorts = [] }: JoinRequest): readonly ExposedPort[] =>
  exposedPorts.map((text) => {
    const [port = '', protocol = 'tcp'] = text.split('/');
    return { Proto: { tcp: 6, udp: 17, sctp: 132 }[protocol] ?? 6, Port: Number(port) };
  });

/** A random, locally administered, unicast address. */
function randomMac(): string {
  const bytes = randomBytes(6);
  bytes[0] = 0x02;
  return bytes.toString('hex').replace(/..(?=.)/g, '$&:');
}
