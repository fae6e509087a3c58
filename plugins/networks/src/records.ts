import type { JoinedEndpoint, JoinRequest } from '@gantry/core/contracts';

/** What is kept of a network, under its id. */
export interface NetworkRecord {
  readonly id: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly internal: boolean;
  readonly ipv6: boolean;
  readonly predefined: boolean;
  readonly ipam: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly pools: readonly PoolRecord[];
}

export interface PoolRecord {
  /** CIDR. */
  readonly subnet: string;
  /** CIDR inside the subnet, when addresses come from there only. */
  readonly range?: string;
  /** With prefix length. */
  readonly gateway?: string;
  /** Addresses that are never given out, by a name of the user's. */
  readonly auxiliary: Readonly<Record<string, string>>;
  readonly ipv6: boolean;
  /** The client chose the subnet; otherwise the address manager did. */
  readonly requested: boolean;
}

/** What is kept of an endpoint while its container runs, under its id. Written before the kernel hears of it. */
export interface EndpointRecord {
  readonly id: string;
  readonly networkId: string;
  readonly containerId: string;
  readonly containerName: string;
  readonly aliases: readonly string[];
  /** Alias -> id or name of the other container, which may come later. */
  readonly links: Readonly<Record<string, string>>;
  /** What the driver was asked; undefined addresses are not given. The sandbox is the container's. */
  readonly request: Omit<JoinRequest, 'sandbox'>;
  /** Undefined until the driver has joined it. */
  readonly joined?: JoinedEndpoint;
}

/** What is kept of an open sandbox, under the container's id: what its resolver forwards to. */
export interface SandboxRecord {
  readonly containerId: string;
  /** What endpoints to come are called. */
  readonly containerName: string;
  /** Whom it asks, from the host. */
  readonly nameservers: readonly string[];
  readonly resolver: boolean;
}
