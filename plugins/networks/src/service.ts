import type {
  BalancedService,
  NetworkPeer,
  NetworkTunnel,
  PortRequest,
  PublishedPort,
  TunnelKey,
  UserNamespaceRequest,
} from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** Networks. The containers area depends on this service, never the other way round. */
export interface NetworkService {
  /** By full id, name, then unique id prefix. Rejects `not-found` ("network X not found"). */
  get(reference: string): Network;

  /** Registers the area that runs the containers. @returns removes the registration. */
  addContainers(containers: NetworkContainers): () => void;
}

/** The sandboxes of containers. Calls for one container must not overlap. */
export interface SandboxService {
  /**
   * Creates the sandbox of a container and joins every network of the request in order; of the routable ones, the first
   * with the highest priority carries the default route. Durable when it resolves. Publishes `network connect` for each.
   * On rejection everything is rolled back. Called again for every start; a stale sandbox is replaced.
   */
  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox>;

  /** Leaves every network, publishing `network disconnect`, and removes the sandbox. Resolves when there is none. */
  close(containerId: string): Promise<void>;

  /** Stores a container's new name, by which the resolvers find its endpoints. Resolves when it has no sandbox. */
  renamed(containerId: string, name: string): Promise<void>;

  /**
   * Called once at the daemon's start with the ids of the running containers: their endpoints, ports and sandboxes are
   * kept; everything else that an earlier daemon left is removed.
   */
  restore(live: readonly string[]): Promise<void>;
}

/**
 * The endpoints of running containers. The containers area has the routes that connect and disconnect a container, which
 * need the container's state, and calls this service for the endpoint of a running one. Calls for one container must not
 * overlap.
 */
export interface EndpointService {
  /**
   * Endpoints of a running container, in joining order; empty otherwise. Keys of inspect's Networks are names. An
   * unchanged endpoint is the same object as before.
   */
  endpointsOf(containerId: string): readonly Endpoint[];

  /** Joins one more network while the container runs. Rejects `forbidden` when it is on it already. */
  connect(containerId: string, attachment: Attachment): Promise<Endpoint>;

  /**
   * Leaves one network while the container runs; another one takes over the default route and the published ports.
   * Rejects `internal` when it is not connected.
   */
  disconnect(containerId: string, networkId: string): Promise<void>;

  /**
   * Leaves a network for a container that is not known any more, by its id or name. Rejects `not-found` ("endpoint X not
   * found") when the network has no endpoint of it.
   */
  disconnectAbsent(reference: string, networkId: string): Promise<void>;
}

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly scope: 'local' | 'global' | 'swarm';
  /** `bridge`, `host` and `none`, which clients cannot create or remove. */
  readonly predefined: boolean;
  /** Containers use the host's network stack. */
  readonly hostStack: boolean;
  /** User-defined networks have the embedded resolver, aliases and static addresses. */
  readonly userDefined: boolean;
  /** It leads published ports of the swarm to tasks. */
  readonly ingress?: true;
}

export interface SandboxRequest {
  readonly container: SandboxContainer;
  readonly attachments: readonly Attachment[];
  readonly dns: DnsSettings;
  /** It leads published ports into the swarm, and nothing of the swarm outside: it needs no gateway network. */
  readonly isMesh?: true;
  /** Undefined: the sandbox belongs to the host's user namespace. */
  readonly userNamespace?: UserNamespaceRequest;
}

export interface SandboxContainer {
  readonly id: string;
  /** Without the slash. */
  readonly name: string;
  readonly hostname: string;
  readonly domainname: string;
}

export interface Attachment {
  /** Network id. */
  readonly networkId: string;
  readonly aliases: readonly string[];
  /** `container:alias`: alias -> id or name of the other container, resolved anew for each DNS query. */
  readonly links: Readonly<Record<string, string>>;
  readonly ipv4Address?: string;
  readonly ipv6Address?: string;
  /** Link-local addresses beside these, of either family, without prefix length. */
  readonly linkLocal?: readonly string[];
  readonly macAddress?: string;
  /** Of the networks that can route, the one with the highest carries the default route; default 0. */
  readonly gatewayPriority?: number;
  /**
   * The ports that the container publishes: on the first of its networks that can publish and is not internal,
   * whichever attachment lists them. When the container leaves that network, another takes over; port 0 is chosen anew.
   */
  readonly ports: readonly PortRequest[];
  /** The ports that links may reach, such as `80/tcp`. */
  readonly exposedPorts?: readonly string[];
  /** See `Endpoint.isGateway`. */
  readonly isGateway?: true;
  /** For the driver, and those that the engine itself knows: the name of the interface, and its kernel settings. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface DnsSettings {
  readonly nameservers: readonly string[];
  readonly search: readonly string[];
  readonly options: readonly string[];
}

export interface OpenSandbox {
  /** OCI network namespace path; undefined: the host's network stack. */
  readonly path: string | undefined;
  /** OCI path of the user namespace that it belongs to; undefined: the host's. */
  readonly userNamespace?: string;
  readonly endpoints: readonly Endpoint[];
  /** Content of /etc/resolv.conf, which names the embedded resolver on user-defined networks. */
  readonly resolvConf: string;
}

export interface Endpoint {
  readonly id: string;
  readonly networkId: string;
  readonly networkName: string;
  readonly interfaceName: string;
  readonly macAddress: string;
  /** Without prefix length; empty when there is none. */
  readonly ipv4Address: string;
  readonly ipv4PrefixLength: number;
  readonly gateway: string;
  readonly ipv6Address: string;
  readonly ipv6PrefixLength: number;
  readonly ipv6Gateway: string;
  readonly aliases: readonly string[];
  readonly ports: readonly PublishedPort[];
  /** It only leads outside and publishes ports: its network is the engine's own. */
  readonly isGateway: boolean;
}

/** Connects this area with the swarm that the engine is part of. Each source is one at a time. */
export interface SwarmNetworkService {
  /** The networks of the swarm. @returns removes the source. */
  addNetworks(source: SwarmNetworks): () => void;
  /** This node's part of them. @returns removes the source. */
  addNode(source: SwarmNode): () => void;
  /** The state of a network has changed. Never rejects. */
  update(networkId: string): Promise<void>;
}

/** The networks of a swarm. */
export interface SwarmNetworks {
  /** The engine is part of a swarm. */
  readonly isActive: boolean;
  /** None outside of a swarm. */
  list(): readonly SwarmNetwork[];
  /** Resolves to the id. Rejects `unavailable` outside of a swarm, `conflict`, `forbidden`, `invalid-argument`. */
  create(request: SwarmNetworkRequest): Promise<string>;
  /** Rejects `invalid-argument` naming a service or task that uses it. */
  remove(id: string): Promise<void>;
}

/** A network of a swarm. */
export interface SwarmNetwork {
  readonly id: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly internal: boolean;
  /** Containers that are no tasks may join it. */
  readonly attachable: boolean;
  readonly ingress: boolean;
  readonly ipam: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly pools: readonly SwarmPool[];
  readonly vxlanId: number;
  /**
   * What nodes create it with in place of `options`: its driver allocated it. Undefined for networks of drivers with peers,
   * which need their number only.
   */
  readonly driverOptions?: Readonly<Record<string, string>>;
}

export interface SwarmPool {
  /** CIDR. */
  readonly subnet: string;
  readonly range?: string;
  /** With prefix length. */
  readonly gateway: string;
  readonly auxiliary: Readonly<Record<string, string>>;
  readonly requested: boolean;
}

/** A network that a client wants, with its driver's id. */
export interface SwarmNetworkRequest
  extends Omit<SwarmNetwork, 'id' | 'createdAt' | 'pools' | 'vxlanId' | 'driverOptions'> {
  readonly pools: readonly {
    readonly subnet?: string;
    readonly range?: string;
    /** Without prefix length. */
    readonly gateway?: string;
    readonly auxiliary: Readonly<Record<string, string>>;
  }[];
}

/** What a node of a swarm knows of the networks that its containers are on. */
export interface SwarmNode {
  /** Undefined for a network that no container of this node is to be on, and without a connection to the swarm. */
  stateOf(networkId: string): SwarmNetworkState | undefined;
  /**
   * The nodes with endpoints on a network that this node is on, as the leader has them now: only clients ask for them, and there may be
   * thousands. Undefined while the leader cannot be asked. Never rejects: a failure is logged.
   */
  nodesOn(networkId: string): Promise<readonly NetworkNode[] | undefined>;
  /** Networks that this node knows although it does not keep the records of the swarm. */
  networks(): readonly SwarmNetwork[];
  /**
   * The address of a container, with prefix length: a task has one already, others get one. Rejects `forbidden` for a
   * network that only tasks may join, `unavailable` when no address is free or there is no connection to the swarm.
   */
  attach(request: SwarmAttachment): Promise<string>;
  /** Releases the address of a container. Never rejects. */
  detach(networkId: string, containerId: string): Promise<void>;
  /** Called when the sandbox of a container has joined its networks, and before anything runs in it. */
  joined(containerId: string, networkIds: readonly string[]): Promise<void>;
}

export interface SwarmAttachment {
  readonly networkId: string;
  readonly containerId: string;
  readonly containerName: string;
  readonly aliases: readonly string[];
  /** Without prefix length. */
  readonly ipv4Address?: string;
  readonly macAddress?: string;
}

/** A node with an endpoint on a network of the swarm. */
export interface NetworkNode {
  /** Of its host. */
  readonly name: string;
  /** At which other nodes reach it. */
  readonly address: string;
}

/** A network as all its nodes have it. */
export interface SwarmNetworkState {
  /** Greater for every later state. */
  readonly revision: number;
  readonly tunnel: NetworkTunnel;
  /** The endpoints of every node. */
  readonly peers: readonly NetworkPeer[];
  /** Addresses, without prefix length, by names in lower case. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly services: readonly BalancedService[];
  /** What nodes encrypt it with; undefined for a network that is not encrypted. */
  readonly keys?: readonly TunnelKey[];
}

/** What networks ask about the containers on them. */
export interface NetworkContainers {
  /** False for a container that has exited, and for an unknown one. */
  isRunning(containerId: string): boolean;
}

/** The endpoint settings of a client's request, by the specification's names. */
export interface EndpointSettings {
  readonly IPAMConfig?: {
    readonly IPv4Address?: string;
    readonly IPv6Address?: string;
    readonly LinkLocalIPs?: readonly string[];
  };
  readonly Links?: readonly string[];
  readonly Aliases?: readonly string[];
  readonly MacAddress?: string;
  readonly DriverOpts?: Readonly<Record<string, string>>;
  readonly GwPriority?: number;
}

export const NetworkService: ServicePoint<NetworkService> = servicePoint<NetworkService>('networks');

export const SandboxService: ServicePoint<SandboxService> = servicePoint<SandboxService>('network-sandboxes');

export const EndpointService: ServicePoint<EndpointService> = servicePoint<EndpointService>('network-endpoints');

/** Without this package there are no networks to connect. */
export const SwarmNetworkService: ServicePoint<SwarmNetworkService> = servicePoint<SwarmNetworkService>(
  'swarm-networks',
  {
    fallback: () => ({
      addNetworks: () => () => undefined,
      addNode: () => () => undefined,
      update: async () => undefined,
    }),
  },
);
