import type { JoinedEndpoint, JoinRequest, NetworkSpec, PublishedPort, RestoredEndpoint } from '@gantry/core/contracts';
import { forbidden } from '@gantry/core/errors';
import { contains, withoutPrefix } from './address.js';
import { endpointMacOf } from './endpoint-mac.js';
import { changeDefaultRoutes } from './sandbox-end.js';

/** A network whose endpoints have interfaces and addresses, and who is on it. */
export class ConnectedNetwork<Endpoint extends RestoredEndpoint = RestoredEndpoint> {
  /** By ids. */
  readonly endpoints = new Map<string, Endpoint>();
  /** Endpoints whose links the kernel is still taking down. */
  readonly leaving = new Map<string, Promise<void>>();

  constructor(readonly spec: NetworkSpec) {}

  get id(): string {
    return this.spec.id;
  }

  /** What an endpoint's interface is called in its sandbox. */
  interfaceNameFor({ interfaceName }: JoinRequest): string {
    return interfaceName;
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

  /** What joining answers. */
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

  /** @throws EngineError `forbidden` while somebody is on it. */
  refuseRemovalInUse(): void {
    if (this.endpoints.size === 0) return;
    throw forbidden(`error while removing network: network ${this.spec.name} id ${this.id} has active endpoints`);
  }

  /** Has an endpoint that is joined again lead to the world, or no longer, as the request says. @returns it as it is now. */
  moveDefaultRoute(known: Endpoint, request: JoinRequest): Endpoint {
    const { defaultRoute, endpointId } = request;
    if (known.request.defaultRoute === defaultRoute) return known;
    changeDefaultRoutes(request, this.interfaceNameFor(request), this.gatewaysFor(request));
    const moved = { ...known, request: { ...known.request, defaultRoute } };
    this.endpoints.set(endpointId, moved);
    return moved;
  }

  /** Remembers that an endpoint is leaving until its links are removed. Settles as `removed` does. */
  async untilGone(endpointId: string, removed: Promise<void>): Promise<void> {
    const leaving = removed.finally(() => this.leaving.delete(endpointId));
    this.leaving.set(endpointId, leaving);
    await leaving;
  }
}
