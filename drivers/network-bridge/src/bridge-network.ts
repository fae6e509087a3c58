import type { JoinRequest, NetworkSpec, RestoredEndpoint } from '@gantry/core/contracts';
import { ConnectedNetwork, subnetOf, withInterfacePrefix, withoutPrefix } from '@gantry/lib-network';
import { parseSubnet, type Subnet } from '@gantry/lib-network/subnet';
import type { EndpointRules, LinkRule, NetworkRules } from './firewall/rule-state.js';
import type { BridgeOptions } from './options/parse-bridge-options.js';
import type { HeldPort } from './ports/held-port.js';

/** An endpoint that is in its sandbox. */
export interface BridgeEndpoint extends RestoredEndpoint {
  /** Name of the host's end; undefined once the sandbox is gone. */
  readonly veth: string | undefined;
  readonly ports: readonly HeldPort[];
}

/** A network, its bridge and its endpoints. */
export class BridgeNetwork extends ConnectedNetwork<BridgeEndpoint> {
  /** Parsed once: every network is compared with all others. */
  readonly subnets: readonly Subnet[];

  constructor(
    spec: NetworkSpec,
    readonly options: BridgeOptions,
    /** The interface's name. */
    readonly bridge: string,
    /** Of the links, from the options or the host's default route. */
    readonly mtu: number,
  ) {
    super(spec);
    this.subnets = spec.pools.flatMap(({ subnet }) => parseSubnet(subnet) ?? []);
  }

  /** Containers on it reach each other only through links. */
  get isClosed(): boolean {
    return !this.options.icc;
  }

  get gateways(): readonly string[] {
    return this.spec.pools.flatMap(({ gateway }) => gateway ?? []);
  }

  override interfaceNameFor({ interfaceName, hasChosenName = false }: JoinRequest): string {
    return hasChosenName ? interfaceName : withInterfacePrefix(interfaceName, this.options.interfacePrefix);
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

  /** Either end of a link may name the other: duplicates are removed. */
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

/** Rules cover only the ports that are held: traffic to a lost port belongs to the program that bound it. */
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
