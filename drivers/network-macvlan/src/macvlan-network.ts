import type { JoinedEndpoint, JoinRequest, NetworkSpec } from '@gantry/core/contracts';
import { contains, withoutPrefix } from './options/address.js';
import type { MacvlanOptions } from './options/macvlan-options.js';
import { endpointMacOf, islandNamesOf } from './options/names.js';

/** An endpoint that is in its sandbox. */
export interface MacvlanEndpoint {
  readonly request: JoinRequest;
  readonly joined: JoinedEndpoint;
}

/** A network, the interface it lies on and who is on it. */
export class MacvlanNetwork {
  readonly endpoints = new Map<string, MacvlanEndpoint>();
  /** Endpoints whose interfaces the kernel is still taking down. */
  readonly leaving = new Map<string, Promise<void>>();

  constructor(
    readonly spec: NetworkSpec,
    readonly options: MacvlanOptions,
  ) {}

  get id(): string {
    return this.spec.id;
  }

  /** The interface that the containers' ones lie on. */
  get parent(): string {
    return this.options.parent ?? islandNamesOf(this.id)[0];
  }

  /** Without prefix length: the routers of the network outside. Networks that lead nowhere have none. */
  gatewayFor(address: string | undefined): string | undefined {
    if (address === undefined || this.spec.internal) return undefined;
    const pool = this.spec.pools.find(({ subnet }) => contains(subnet, address));
    return pool?.gateway === undefined ? undefined : withoutPrefix(pool.gateway);
  }

  gatewaysFor({ ipv4, ipv6 }: Pick<JoinRequest, 'ipv4' | 'ipv6'>): string[] {
    return [ipv4, ipv6].flatMap((address) => this.gatewayFor(address) ?? []);
  }

  describe({ endpointId, ipv4, ipv6, macAddress }: JoinRequest): JoinedEndpoint {
    const gateway = this.gatewayFor(ipv4);
    const ipv6Gateway = this.gatewayFor(ipv6);
    return {
      macAddress:
        macAddress?.toLowerCase().replaceAll('-', ':') ?? endpointMacOf(endpointId, ipv4 && withoutPrefix(ipv4)),
      ...(gateway !== undefined && { gateway }),
      ...(ipv6Gateway !== undefined && { ipv6Gateway }),
      ports: [],
    };
  }
}
