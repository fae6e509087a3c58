import type { JoinedEndpoint, JoinRequest, NetworkSpec, PublishedPort, RestoredEndpoint } from '@gantry/core/contracts';
import { forbidden } from '@gantry/core/errors';
import type { Netlink } from '@gantry/lib-linux/netlink';
import { contains, withoutPrefix } from './address.js';
import { endpointMacOf } from './endpoint-mac.js';
import { carriesRoute, changeDefaultRoutes } from './sandbox-interface.js';

/** A network whose endpoints have interfaces and addresses, with its endpoints. */
export class ConnectedNetwork<Endpoint extends RestoredEndpoint = RestoredEndpoint> {
  /** By ids. */
  readonly endpoints = new Map<string, Endpoint>();
  /** Endpoints whose links the kernel is still deleting. */
  readonly leaving = new Map<string, Promise<void>>();

  constructor(public spec: NetworkSpec) {}

  get id(): string {
    return this.spec.id;
  }

  /** The name of an endpoint's interface in its sandbox. */
  interfaceNameFor({ interfaceName }: JoinRequest): string {
    return interfaceName;
  }

  /** Without prefix length. Internal networks have no gateway. */
  gatewayFor(address: string | undefined): string | undefined {
    if (address === undefined || this.spec.internal) return undefined;
    const pool = this.spec.pools.find(({ subnet }) => contains(subnet, withoutPrefix(address)));
    return pool?.gateway === undefined ? undefined : withoutPrefix(pool.gateway);
  }

  gatewaysFor({ ipv4, ipv6 }: Pick<JoinRequest, 'ipv4' | 'ipv6'>): string[] {
    return [ipv4, ipv6].flatMap((address) => this.gatewayFor(address) ?? []);
  }

  /** The gateways of the default routes that an endpoint carries. */
  defaultGatewaysFor({ defaultRoute, ...addresses }: Pick<JoinRequest, 'defaultRoute' | 'ipv4' | 'ipv6'>): string[] {
    return this.gatewaysFor(addresses).filter((gateway) => carriesRoute(defaultRoute, gateway));
  }

  /** Composes the result of a join. */
  describe({ endpointId, ipv4, ipv6, macAddress }: JoinRequest, ports: readonly PublishedPort[] = []): JoinedEndpoint {
    const gateway = this.gatewayFor(ipv4);
    const ipv6Gateway = this.gatewayFor(ipv6);
    return {
      macAddress:
        macAddress?.toLowerCase().replaceAll('-', ':') ?? endpointMacOf(endpointId, ipv4 && withoutPrefix(ipv4)),
      ...(gateway !== undefined && { gateway }),
      ...(ipv6Gateway !== undefined && { ipv6Gateway }),
      ports,
    };
  }

  /** @throws EngineError `forbidden` while it has endpoints. */
  refuseRemovalInUse(): void {
    if (this.endpoints.size === 0) return;
    throw forbidden(`error while removing network: network ${this.spec.name} id ${this.id} has active endpoints`);
  }

  /** Adds or removes default routes of an endpoint that is joined again. @returns the updated endpoint. */
  moveDefaultRoute(netlink: Netlink, known: Endpoint, request: JoinRequest): Endpoint {
    const { defaultRoute, endpointId } = request;
    if (known.request.defaultRoute === defaultRoute) return known;
    changeDefaultRoutes(netlink, request, this.interfaceNameFor(request), this.gatewaysFor(request));
    const moved = { ...known, request: { ...known.request, defaultRoute } };
    this.endpoints.set(endpointId, moved);
    return moved;
  }

  /** Records that an endpoint is leaving until its links are removed. Settles as `removed` does. */
  async trackLeaving(endpointId: string, removed: Promise<void>): Promise<void> {
    const leaving = removed.finally(() => this.leaving.delete(endpointId));
    this.leaving.set(endpointId, leaving);
    await leaving;
  }
}
