import { isIPv4, isIPv6 } from 'node:net';
import { EngineError, invalidArgument } from '@gantry/core/errors';
import type { EndpointSettings, Network, NetworkService } from '@gantry/networks/service';
import type { ContainerRecord } from '../../record.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { CreateBody } from '../../schema.js';
import { checkMacAddress } from './host-names.js';

/** The network of a new container: its NetworkMode as it will run, and the networks on its record. */
interface ChosenNetworks {
  readonly NetworkMode: string;
  readonly networks: ContainerRecord['networks'];
}

/**
 * The networks a container joins: what NetworkMode names, or the one network of NetworkingConfig. None when it shares
 * another container's. NetworkingConfig may not name another network than NetworkMode, nor the host's network: whatever
 * judges a request by its NetworkMode would be bypassed.
 * @throws EngineError `invalid-argument`.
 */
export function chooseNetworks(body: CreateBody, mode: string, networks: Pick<NetworkService, 'get'>): ChosenNetworks {
  const endpoints = Object.entries(body.NetworkingConfig?.EndpointsConfig ?? {});
  if (endpoints.length > 1) {
    const names = endpoints.map(([name]) => name).sort();
    throw invalidArgument(`Container cannot be connected to network endpoints: ${names.join(', ')}`);
  }
  const [endpoint, settings = {}] = endpoints[0] ?? [];
  if (joinedContainer(mode) !== undefined) {
    if (endpoint === undefined) return { NetworkMode: mode, networks: {} };
    throw invalidArgument(
      'container sharing network namespace with another container or host cannot be connected to any other network',
    );
  }
  if (body.NetworkDisabled === true) {
    return { NetworkMode: mode, networks: { none: { networkId: networks.get('none').id } } };
  }
  checkEndpoint(settings);
  const wanted = networkName(endpoint ?? mode);
  const network = find(networks, wanted);
  if (endpoint !== undefined) checkAgainstMode(wanted, network, mode, networks);
  const NetworkMode = mode === 'default' && network?.userDefined === true ? network.name : mode;
  // Clients take "not found" at create for a missing image and pull it, so the start reports a missing network.
  if (network === undefined) return { NetworkMode, networks: { [wanted]: settings } };
  if (!network.userDefined) refuseChoices(settings);
  return { NetworkMode, networks: { [network.name]: { ...settings, networkId: network.id } } };
}

const networkName = (reference: string): string => (reference === 'default' || reference === '' ? 'bridge' : reference);

function checkAgainstMode(
  endpoint: string,
  network: Network | undefined,
  mode: string,
  networks: Pick<NetworkService, 'get'>,
): void {
  const isNetworkOfMode = endpoint === networkName(mode) || network?.id === find(networks, networkName(mode))?.id;
  if (isNetworkOfMode && (network !== undefined || endpoint === networkName(mode))) return;
  const isReserved = network?.hostStack === true || endpoint === 'host' || joinedContainer(endpoint) !== undefined;
  if (mode === 'default' && !isReserved) return;
  throw invalidArgument(
    `NetworkingConfig: EndpointsConfig names "${endpoint}", but HostConfig.NetworkMode is "${mode}": name the network in both`,
  );
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
