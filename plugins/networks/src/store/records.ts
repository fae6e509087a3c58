import type { JoinedEndpoint, JoinRequest, NetworkTunnel } from '@gantry/core/contracts';

/** A network as stored, under its id. */
export interface NetworkRecord {
  readonly id: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly internal: boolean;
  /** Only shown: containers may join every network of this host. Undefined in records of earlier engines. */
  readonly attachable?: boolean;
  /** Endpoints have IPv4 addresses. Undefined, as in records of earlier engines: they have. */
  readonly ipv4?: boolean;
  readonly ipv6: boolean;
  readonly predefined: boolean;
  readonly ipam: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly pools: readonly PoolRecord[];
  /** It only holds settings that other networks take; no container joins it, and its pools are not reserved. */
  readonly configuration?: { readonly pools: readonly PoolRequirement[] };
  /** The name of the configuration network that it took its settings from. */
  readonly configFrom?: string;
  /** A network of the swarm; in the store of this node only while an endpoint here is on it. */
  readonly swarm?: {
    readonly ingress: boolean;
    /** Undefined while no endpoint of this node is on it. */
    readonly tunnel?: NetworkTunnel;
    /** The number of its tunnels. */
    readonly vxlanId: number;
    /** What the driver creates it with in place of `options`. */
    readonly driverOptions?: Readonly<Record<string, string>>;
  };
}

/** A pool as a client requests it. */
export interface PoolRequirement {
  readonly subnet?: string;
  readonly range?: string;
  /** Without prefix length. */
  readonly gateway?: string;
  readonly auxiliary: Readonly<Record<string, string>>;
  readonly ipv6: boolean;
}

export interface PoolRecord {
  /** CIDR. */
  readonly subnet: string;
  /** CIDR inside the subnet to which allocation is limited. */
  readonly range?: string;
  /** With prefix length. */
  readonly gateway?: string;
  /** Addresses that are never allocated, by the name the client gave them. */
  readonly auxiliary: Readonly<Record<string, string>>;
  readonly ipv6: boolean;
  /** The client chose the subnet; otherwise the IPAM driver did. */
  readonly requested: boolean;
}

/** An endpoint as stored while its container runs, under its id. Written before the driver joins it. */
export interface EndpointRecord {
  readonly id: string;
  readonly networkId: string;
  readonly containerId: string;
  readonly containerName: string;
  readonly aliases: readonly string[];
  /** Alias -> id or name of the other container, which need not exist yet. */
  readonly links: Readonly<Record<string, string>>;
  /** Among the endpoints of its container: a later one has a greater one. Undefined in records of earlier engines. */
  readonly position?: number;
  /** For the container's default routes. Undefined: 0. */
  readonly gatewayPriority?: number;
  /** It leads outside for a container whose own networks do not. Clients do not see it. */
  readonly isGateway?: true;
  /** The request to the driver. The sandbox is the container's. */
  readonly request: Omit<JoinRequest, 'sandbox'>;
  /** Undefined until the driver has joined it. */
  readonly joined?: JoinedEndpoint;
}

/** A sandbox as stored, under the container's id. */
export interface SandboxRecord {
  readonly containerId: string;
  /** The name of endpoints added later. */
  readonly containerName: string;
  /** Name servers that the embedded resolver forwards to, from the host's network. */
  readonly nameservers: readonly string[];
  /** It has an embedded resolver. */
  readonly resolver: boolean;
}
