import type { PublishedPort } from '@gantry/core/contracts';

/** What the packet filter must know of one network. */
export interface NetworkRules {
  readonly id: string;
  readonly bridge: string;
  /** CIDR, both families. */
  readonly subnets: readonly string[];
  /** Containers may talk to each other. */
  readonly icc: boolean;
  /** What leaves for elsewhere gets an address of the host. */
  readonly masquerade: boolean;
  /** Nothing goes in or out. */
  readonly internal: boolean;
}

/** What the packet filter must know of one endpoint. */
export interface EndpointRules {
  readonly id: string;
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
  readonly ports: readonly PublishedPort[];
}

/** One address may reach one port of another on a network that forbids it otherwise. */
export interface LinkRule {
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly port: number;
}
