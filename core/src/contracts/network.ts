import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';
import type { Sandbox } from './sandbox.js';

/**
 * # Network: connections between sandboxes, the host and the world
 *
 * Glossary. An *endpoint* is one sandbox's place on one network. *Joining* puts the endpoint's interface into the
 * sandbox; *publishing* makes ports of the endpoint reachable at addresses of the host.
 *
 * The engine keeps networks and endpoints in its state and owns the addresses. After a restart it calls `restore` once
 * with everything that should exist; the driver makes the kernel agree and removes what is its own and not listed. It does
 * the same when another version takes over while the daemon runs, once the older one has stopped; a driver with `peers` is
 * replaced at a start of the daemon only.
 * Every mutating call is idempotent, and on rejection nothing of it is left.
 */
export interface NetworkDriver {
  readonly capabilities: NetworkCapabilities;

  /** Checks options before anything is made. @throws EngineError `invalid-argument` naming option and value. */
  validate(network: NetworkSpec): void;

  /** Again with another `tunnel`: that one is replaced, and endpoints stay. */
  createNetwork(network: NetworkSpec): Promise<void>;
  /** Absent: resolves. Rejects `forbidden` while it has endpoints. */
  removeNetwork(networkId: string): Promise<void>;

  /**
   * Puts an endpoint into a sandbox, with its ports published. Rejects `conflict` with
   * "Bind for ADDRESS:PORT failed: port is already allocated" before anything else is done when a port is taken,
   * `not-found` when the network was not made, `invalid-argument` naming the value. Drivers that cannot publish, and
   * internal networks, answer no ports. Joining an endpoint that exists returns the same and changes only the
   * default route and the published ports, when the request differs in them; the earlier ports are released before others
   * are published, and a rejection leaves it without any.
   */
  join(request: JoinRequest, options?: { readonly signal?: AbortSignal }): Promise<JoinedEndpoint>;

  /** Takes the endpoint out and frees its ports. Unknown: resolves. Works when the sandbox is gone. */
  leave(networkId: string, endpointId: string): Promise<void>;

  restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void>;

  /**
   * Which endpoints other nodes have on a network: always all of them, so that no entry outlives its endpoint. What the
   * kernel has is compared with the set and repaired, now and from then on. A set with an older revision than the last one
   * is ignored; those of this node itself are, too. Rejects `not-found` when the network was not made.
   * Only where `capabilities.peers` is true.
   */
  peers?(networkId: string, peers: readonly NetworkPeer[], revision: number): Promise<void>;

  /**
   * The keys that all nodes have for networks that are encrypted between them: every one that is in use, and none when
   * `keys` is empty. What nodes send with earlier keys is not received any more. Until the first call after a restart,
   * tunnels keep the keys they have. A driver without this method has no encrypted networks, and refuses them.
   */
  useKeys?(keys: readonly TunnelKey[]): Promise<void>;

  /**
   * The nodes of the swarm that are ready, this one included: always all of them, and none when the engine is part of no
   * swarm. Called again after each change, and repeated. Only where `capabilities.nodes` is true.
   */
  nodes?(nodes: readonly NetworkNode[]): Promise<void>;

  /**
   * On the manager that leads, for a new network of the swarm: resolves to the options with which every node is to create
   * it. Repeated by each manager that leads later, and for a version that takes over, with the options that were the answer
   * before. A rejection refuses the network. Only where `capabilities.allocates` is true, and then there is `freeNetwork`.
   */
  allocateNetwork?(network: NetworkSpec): Promise<Readonly<Record<string, string>>>;
  /** On the manager that leads, before a network of the swarm is removed. Unknown: resolves. */
  freeNetwork?(networkId: string): Promise<void>;
}

/** A node of the swarm. */
export interface NetworkNode {
  readonly id: string;
  /** Of its traffic with other nodes, without prefix length. */
  readonly address: string;
  /** It is this one. */
  readonly isSelf: boolean;
}

/** A secret of all nodes, which drivers derive those of single connections from. */
export interface TunnelKey {
  readonly id: string;
  /** Base64 of 32 bytes. */
  readonly secret: string;
  /** True for exactly one: nodes send with it. They receive with all. */
  readonly sends: boolean;
}

/** An endpoint on another node. */
export interface NetworkPeer {
  /** Of the endpoint, without prefix length. */
  readonly address: string;
  readonly macAddress: string;
  /** Address of the node's tunnel. */
  readonly node: string;
}

export interface NetworkCapabilities {
  /** `global`: in a swarm, a network is one of all its nodes, with the same id on each. */
  readonly scope: 'local' | 'global';
  /** Networks can be made by users; host and none have just one each. */
  readonly userDefined: boolean;
  /** Endpoints have addresses from IPAM. */
  readonly addresses: boolean;
  readonly publish: boolean;
  /** Containers use the host's own stack. */
  readonly hostStack: boolean;
  /** False: endpoints have no gateway, so that another network has to lead outside. Undefined: they may have. */
  readonly routes?: boolean;
  /** False: endpoints share a MAC address, report none, and refuse one that is asked for. Undefined: each has its own. */
  readonly ownMacAddresses?: boolean;
  /** Networks reach other nodes through tunnels: the driver has `peers`. */
  readonly peers?: boolean;
  /** The driver is to know the nodes of the swarm: it has `nodes`. */
  readonly nodes?: boolean;
  /** Networks of the swarm have state that the manager which leads allocates: the driver has `allocateNetwork`. */
  readonly allocates?: boolean;
  /** What the driver's rules for packets are made with, such as `nftables`. Undefined: it makes none. */
  readonly firewall?: string;
}

export interface NetworkSpec {
  readonly id: string;
  readonly name: string;
  /** What `Options` held, such as `com.docker.network.bridge.name`. */
  readonly options: Readonly<Record<string, string>>;
  readonly internal: boolean;
  readonly ipv6: boolean;
  readonly pools: readonly NetworkPool[];
  /** Connects the network with the same one on other nodes; undefined: it is this host's alone. */
  readonly tunnel?: NetworkTunnel;
}

export interface NetworkTunnel {
  /** The network's number on the wire: its VNI. */
  readonly id: number;
  /** UDP port of all nodes. */
  readonly port: number;
  /** Address of this node, without prefix length. */
  readonly address: string;
}

export interface NetworkPool {
  /** CIDR. */
  readonly subnet: string;
  /** With prefix length; undefined on networks without one. */
  readonly gateway: string | undefined;
}

export interface JoinRequest {
  readonly networkId: string;
  readonly endpointId: string;
  readonly sandbox: Sandbox;
  /** With prefix length. */
  readonly ipv4?: string;
  readonly ipv6?: string;
  /** Further addresses of the interface, of either family, with prefix length: link-local ones, not the engine's. */
  readonly linkLocal?: readonly string[];
  /** Colon form; undefined: the driver makes one. */
  readonly macAddress?: string;
  /** `eth0`, `eth1`, ..., or what the client chose. */
  readonly interfaceName: string;
  /** The client chose the name of the interface: a driver that has a prefix of its own leaves it as it is. */
  readonly hasChosenName?: boolean;
  /**
   * Settings of the interface, which the driver writes before the interface is up. Rejects with the kernel's reason where it
   * has no such setting or refuses the value.
   */
  readonly sysctls?: readonly InterfaceSysctl[];
  /** What `DriverOpts` of the endpoint held. A driver ignores those it does not know. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether this endpoint carries the sandbox's default routes: all for which it has a gateway, or those of one family. */
  readonly defaultRoute: boolean | 'ipv4' | 'ipv6';
  readonly ports: readonly PortRequest[];
  /**
   * Links: endpoints of the same network that may reach the `exposedPorts` of this one where the network forbids
   * traffic between containers. Ids; those not joined yet count from when they join.
   */
  readonly linkedFrom?: readonly string[];
  /** The other direction: endpoints whose `exposedPorts` this one may reach there. */
  readonly linkedTo?: readonly string[];
  /** What links open, such as `80/tcp`. */
  readonly exposedPorts?: readonly string[];
}

/** A kernel setting of one interface. */
export interface InterfaceSysctl {
  /** Such as `net.ipv4.conf.IFNAME.log_martians`, where IFNAME stands for the name of the interface. */
  readonly name: string;
  readonly value: string;
}

export interface PortRequest {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly containerPort: number;
  /** Host address; undefined is every address, IPv4 and IPv6. */
  readonly hostIp?: string;
  /** 0 chooses from the ephemeral range, else the first free one of first..last. */
  readonly hostPort: number;
  readonly hostPortEnd?: number;
}

export interface PublishedPort {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly containerPort: number;
  /** Such as `0.0.0.0` or `::`. */
  readonly hostIp: string;
  readonly hostPort: number;
}

export interface JoinedEndpoint {
  readonly macAddress: string;
  /** Without prefix length. */
  readonly gateway?: string;
  readonly ipv6Gateway?: string;
  readonly ports: readonly PublishedPort[];
}

/** An endpoint that was joined before the restart. */
export interface RestoredEndpoint {
  readonly request: JoinRequest;
  readonly joined: JoinedEndpoint;
}

export const NetworkDrivers: DriverPoint<NetworkDriver> = driverPoint<NetworkDriver>(
  'network',
  '1.3',
  ['validate', 'createNetwork', 'removeNetwork', 'join', 'leave', 'restore'],
  {
    capabilities: ['scope', 'userDefined', 'addresses', 'publish', 'hostStack'],
    capabilityMethods: { peers: 'peers', nodes: 'nodes', allocateNetwork: 'allocates', freeNetwork: 'allocates' },
    takeover: 'exclusive',
    refusesTakeover: ({ capabilities }) => (capabilities.peers === true ? 'it connects nodes of a swarm' : undefined),
    synchronous: ['validate'],
  },
);
