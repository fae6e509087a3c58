import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { inject, injectable } from '@gantry/core/driver';
import { type EngineError, forbidden, internal, invalidArgument } from '@gantry/core/errors';
import { AddressPools } from '../addresses/address-pools.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import type { Attachment } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';
import { SwarmSources } from '../store/swarm-sources.js';
import { interfaceOf } from './interface-of.js';
import { linksTo } from './links.js';

/** The container that an endpoint belongs to. */
export interface EndpointOwner {
  readonly id: string;
  /** Without the slash. */
  readonly name: string;
}

interface EndpointPlan {
  readonly container: EndpointOwner;
  readonly attachment: Attachment;
  readonly network: NetworkRecord;
  /** The container's endpoints that joined before. */
  readonly earlier: readonly EndpointRecord[];
  readonly defaultRoute: EndpointRecord['request']['defaultRoute'];
}

/** Allocates the addresses of an endpoint and composes its record. */
@injectable()
export class PrepareEndpoint {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(AddressPools) private readonly addressPools: AddressPools,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
  ) {}

  /** The caller releases the addresses. On rejection none is allocated. */
  async prepare({ container, attachment, network, earlier, defaultRoute }: EndpointPlan): Promise<EndpointRecord> {
    if (network.configuration !== undefined) throw forbidden('cannot create endpoint on configuration-only network');
    const { chosenName, ...interfaceWishes } = interfaceOf(attachment.options);
    const names = earlier.map(({ request }) => request.interfaceName);
    if (chosenName !== undefined && ['lo', ...names].includes(chosenName)) {
      throw internal(`the container has an interface "${chosenName}" already`);
    }
    const { ipv4, ipv6 } =
      network.swarm === undefined
        ? await this.#allocate(network, attachment)
        : { ipv4: await this.swarm.attach(network, container, attachment), ipv6: undefined };
    const { linkLocal = [], macAddress, gatewayPriority } = attachment;
    const present = this.store.endpointsOn(network.id);
    const linkedTo = present.filter((other) => linksTo(attachment.links, other)).map(({ id }) => id);
    const self = { containerId: container.id, containerName: container.name };
    const linkedFrom = present.filter(({ links }) => linksTo(links, self)).map(({ id }) => id);
    const request: EndpointRecord['request'] = {
      networkId: network.id,
      endpointId: randomBytes(32).toString('hex'),
      interfaceName: chosenName ?? firstFreeName(names),
      ...(chosenName !== undefined && { hasChosenName: true }),
      ...interfaceWishes,
      defaultRoute,
      ports: attachment.ports,
      linkedTo,
      linkedFrom,
      ...(attachment.exposedPorts !== undefined && { exposedPorts: attachment.exposedPorts }),
      ...(ipv4 !== undefined && { ipv4 }),
      ...(ipv6 !== undefined && { ipv6 }),
      ...(linkLocal.length > 0 && { linkLocal: linkLocal.map(withLinkLocalPrefix) }),
      ...(macAddress !== undefined && { macAddress }),
    };
    return {
      id: request.endpointId,
      networkId: network.id,
      containerId: container.id,
      containerName: container.name,
      aliases: attachment.aliases,
      links: attachment.links,
      position: (earlier.at(-1)?.position ?? earlier.length - 1) + 1,
      ...(gatewayPriority !== undefined && { gatewayPriority }),
      ...(attachment.isGateway === true && { isGateway: true as const }),
      request,
    };
  }

  async #allocate(
    network: NetworkRecord,
    { ipv4Address, ipv6Address }: Attachment,
  ): Promise<{ readonly ipv4?: string | undefined; readonly ipv6?: string | undefined }> {
    // On a network whose IPv6 subnet is only reserved, the address is the client's record of what it wants there.
    if (ipv6Address !== undefined && !network.pools.some((pool) => pool.ipv6)) throw noSubnet(network, ipv6Address);
    const { ipv4: hasIpv4 = true } = network;
    if (ipv4Address !== undefined && !hasIpv4) throw noSubnet(network, ipv4Address);
    if (!this.driverOf.get(network).capabilities.addresses) return {};
    const ipv4 = hasIpv4 ? await this.addressPools.allocate(network, false, ipv4Address) : undefined;
    if (!network.ipv6) return { ipv4 };
    try {
      return { ipv4, ipv6: await this.addressPools.allocate(network, true, ipv6Address) };
    } catch (error) {
      await this.addressPools.releaseAddress(network, ipv4);
      throw error;
    }
  }
}

/** Interfaces are `eth0`, `eth1` … in joining order; a number that became free is used again. */
function firstFreeName(taken: readonly string[]): string {
  let index = 0;
  while (taken.includes(`eth${index}`)) index += 1;
  return `eth${index}`;
}

function noSubnet({ name }: NetworkRecord, address: string): EngineError {
  const reason = 'user specified IP address is supported only when connecting to networks with user configured subnets';
  const family = isIPv6(address) ? 'IPv6' : 'IPv4';
  return invalidArgument(`${reason}: network ${name} has no ${family} subnet for address ${address}`);
}

/** Every link-local address belongs to the same subnet (RFC 3927, RFC 4291). */
const withLinkLocalPrefix = (address: string): string => `${address}/${address.includes(':') ? 64 : 16}`;
