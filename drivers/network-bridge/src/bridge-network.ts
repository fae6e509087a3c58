import type { JoinedEndpoint, JoinRequest, NetworkSpec } from '@gantry/core/contracts';
import type { EndpointRules, LinkRule, NetworkRules } from './firewall/rule-state.js';
import { contains, subnetOf, withoutPrefix } from './options/address.js';
import type { BridgeOptions } from './options/bridge-options.js';
import type { HeldPort } from './ports/held-port.js';

/** An endpoint that is in its sandbox. */
export interface BridgeEndpoint {
  readonly request: JoinRequest;
  readonly joined: JoinedEndpoint;
  /** The host's end; undefined once the sandbox is gone. */
  readonly veth: string | undefined;
  readonly ports: readonly HeldPort[];
}

/** A network, its bridge and who is on it. */
export class BridgeNetwork {
  readonly endpoints = new Map<string, BridgeEndpoint>();
  /** Endpoints whose links the kernel is still taking down. */
  readonly leaving = new Map<string, Promise<void>>();

  constructor(
    readonly spec: NetworkSpec,
    readonly options: BridgeOptions,
    /** The interface's name. */
    readonly bridge: string,
    /** Of links, for what the options leave open. */
    readonly mtu: number,
  ) {}

  get id(): string {
    return this.spec.id;
  }

  /** Containers on it see each other only where they are linked. */
  get isClosed(): boolean {
    return !this.options.icc;
  }

  get gateways(): readonly string[] {
    return this.spec.pools.flatMap(({ gateway }) => gateway ?? []);
  }

  /** The engine counts, the network may have its own word: `eth0` becomes `net0`. */
  interfaceNameFor({ interfaceName }: JoinRequest): string {
    const { interfacePrefix } = this.options;
    return interfacePrefix === undefined ? interfaceName : `${interfacePrefix}${/\d+$/.exec(interfaceName)?.[0] ?? ''}`;
  }

  /** Without prefix length. Networks that lead nowhere have no gateway. */
  gatewayFor(address: string | undefined): string | undefined {
    if (address === undefined || this.spec.internal) return undefined;
    const pool = this.spec.pools.find(({ subnet }) => contains(subnet, withoutPrefix(address)));
    return pool?.gateway === undefined ? undefined : withoutPrefix(pool.gateway);
  }

  gatewaysFor({ ipv4, ipv6 }: Pick<JoinRequest, 'ipv4' | 'ipv6'>): string[] {
    return [ipv4, ipv6].flatMap((address) => this.gatewayFor(address) ?? []);
  }

  get rules(): NetworkRules {
    return {
      id: this.id,
      bridge: this.bridge,
      subnets: this.spec.pools.map(({ subnet }) => subnetOf(subnet)),
      icc: this.options.icc,
      masquerade: this.options.masquerade,
      internal: this.spec.internal,
    };
  }

  /** Both ends of a link may have named the other. */
  get links(): readonly LinkRule[] {
    if (!this.isClosed) return [];
    const rules = new Map<string, LinkRule>();
    const allow = (from: BridgeEndpoint | undefined, to: BridgeEndpoint | undefined): void => {
      for (const rule of linkRules(from, to)) rules.set(JSON.stringify(rule), rule);
    };
    for (const endpoint of this.endpoints.values()) {
      for (const id of endpoint.request.linkedTo ?? []) allow(endpoint, this.endpoints.get(id));
      for (const id of endpoint.request.linkedFrom ?? []) allow(this.endpoints.get(id), endpoint);
    }
    return [...rules.values()];
  }
}

/** Ports that somebody else has by now are left out: what comes to them is not ours. */
export const endpointRules = ({ request, ports }: Pick<BridgeEndpoint, 'request' | 'ports'>): EndpointRules => ({
  id: request.endpointId,
  ipv4: request.ipv4 === undefined ? undefined : withoutPrefix(request.ipv4),
  ipv6: request.ipv6 === undefined ? undefined : withoutPrefix(request.ipv6),
  ports: ports.map(({ published }) => published),
});

function linkRules(from: BridgeEndpoint | undefined, to: BridgeEndpoint | undefined): LinkRule[] {
  const source = from?.request.ipv4;
  const destination = to?.request.ipv4;
  if (source === undefined || destination === undefined) return [];
  return (to?.request.exposedPorts ?? []).flatMap((text) => {
    const [port = '', protocol = 'tcp'] = text.split('/');
    const number = Number(port);
    if (!Number.isInteger(number) || !['tcp', 'udp', 'sctp'].includes(protocol)) return [];
    return [{ from: withoutPrefix(source), to: withoutPrefix(destination), protocol, port: number }];
  });
}
