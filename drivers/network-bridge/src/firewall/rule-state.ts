import type { PublishedPort } from '@gantry/core/contracts';

/** What the rules of one network depend on. */
export interface NetworkRules {
  readonly id: string;
  readonly bridge: string;
  /** CIDR, both families. */
  readonly subnets: readonly string[];
  /** Containers may reach each other. */
  readonly icc: boolean;
  /** Outgoing packets get an address of the host. */
  readonly masquerade: boolean;
  /** No traffic to or from other networks. */
  readonly internal: boolean;
}

/** What the rules of one endpoint depend on. */
export interface EndpointRules {
  readonly id: string;
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
  readonly ports: readonly PublishedPort[];
}

/** Allows one address to reach one port of another on a closed network. */
export interface LinkRule {
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly port: number;
}
