import { isIPv4, isIPv6 } from 'node:net';
import { EngineError, invalidArgument } from '@gantry/core/errors';
import type { EndpointSettings, Network, NetworkService } from '@gantry/networks/service';
import type { ContainerRecord } from '../../record.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { CreateBody } from '../../schema.js';
import { checkMacAddress } from './host-names.js';

/**
 * The networks a container joins: the one network of NetworkingConfig, or what NetworkMode names. None when it shares
 * another container's.
 * @throws EngineError `invalid-argument`.
 */
export function chooseNetworks(
  body: CreateBody,
  mode: string,
  networks: Pick<NetworkService, 'get'>,
): ContainerRecord['networks'] {
  const endpoints = Object.entries(body.NetworkingConfig?.EndpointsConfig ?? {});
  if (endpoints.length > 1) {
    const names = endpoints.map(([name]) => name).sort();
    throw invalidArgument(`Container cannot be connected to network endpoints: ${names.join(', ')}`);
  }
  const shared = joinedContainer(mode) !== undefined;
  const [name = mode, settings = {}] = endpoints[0] ?? [];
  if (shared) {
    if (endpoints.length === 0) return {};
    throw invalidArgument(
      'container sharing network namespace with another container or host cannot be connected to any other network',
    );
  }
  if (body.NetworkDisabled === true) return { none: { networkId: networks.get('none').id } };
  checkEndpoint(settings);
  const wanted = name === 'default' || name === '' ? 'bridge' : name;
  const network = find(networks, wanted);
  // Clients take "not found" at create for a missing image and pull it, so the start reports a missing network.
  if (network === undefined) return { [wanted]: settings };
  if (!network.userDefined) refuseChoices(settings);
  return { [network.name]: { ...settings, networkId: network.id } };
}

function find(networks: Pick<NetworkService, 'get'>, name: string): Network | undefined {
  try {
    return networks.get(name);
  } catch (error) {
    if (EngineError.is(error) && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** @throws EngineError `invalid-argument` for what is no address. */
export function checkEndpoint({ IPAMConfig, MacAddress }: EndpointSettings): void {
  const { IPv4Address, IPv6Address, LinkLocalIPs = [] } = IPAMConfig ?? {};
  if (IPv4Address && !isIPv4(IPv4Address)) throw invalidArgument(`invalid IPv4 address: ${IPv4Address}`);
  if (IPv6Address && !isIPv6(IPv6Address)) throw invalidArgument(`invalid IPv6 address: ${IPv6Address}`);
  for (const address of LinkLocalIPs) {
    if (!isLinkLocal(address)) throw invalidArgument(`invalid link local IP address: ${address}`);
  }
  checkMacAddress(MacAddress);
}

/** Names and addresses of one's own choice exist only where users define them. @throws EngineError `invalid-argument`. */
export function refuseChoices({ IPAMConfig, Aliases }: EndpointSettings): void {
  if (IPAMConfig?.IPv4Address || IPAMConfig?.IPv6Address) {
    throw invalidArgument('user specified IP address is supported on user defined networks only');
  }
  if (Aliases?.length) {
    throw invalidArgument('network-scoped alias is supported only for containers in user defined networks');
  }
}

/** RFC 3927, RFC 4291. */
const isLinkLocal = (address: string): boolean =>
  isIPv4(address) ? address.startsWith('169.254.') : isIPv6(address) && /^fe[89ab][0-9a-f]:/i.test(address);
