import { isIPv4, isIPv6 } from 'node:net';
import { EngineError, invalidArgument } from '@gantry/core/errors';
import type { EndpointSettings, Network, NetworkService } from '@gantry/networks/service';
import type { ContainerRecord } from '../../record.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { CreateBody } from '../../schema.js';
import { checkEndpointOptions } from './check-endpoint-options.js';
import { checkMacAddress } from './host-names.js';

/** The network of a new container: its NetworkMode as it will run, and the networks on its record. */
interface ChosenNetworks {
  readonly NetworkMode: string;
  readonly networks: ContainerRecord['networks'];
}

/**
 * The networks a container joins: those of NetworkingConfig, the one that NetworkMode names first, or this one alone. None
 * when it shares another container's. NetworkingConfig has to name the network of NetworkMode, and never the host's network:
 * whatever judges a request by its NetworkMode would be bypassed.
 * @throws EngineError `invalid-argument`.
 */
export function chooseNetworks(body: CreateBody, mode: string, networks: Pick<NetworkService, 'get'>): ChosenNetworks {
  const endpoints = Object.entries(body.NetworkingConfig?.EndpointsConfig ?? {});
  if (joinedContainer(mode) !== undefined) {
    if (endpoints.length === 0) return { NetworkMode: mode, networks: {} };
    throw invalidArgument(
      'container sharing network namespace with another container or host cannot be connected to any other network',
    );
  }
  if (body.NetworkDisabled === true) {
    return { NetworkMode: mode, networks: { none: { networkId: networks.get('none').id } } };
  }
  const wanted = endpoints.map((endpoint) => requested(endpoint, networks));
  if (wanted.length === 0) return joining(mode, [requested([mode, {}], networks)]);
  const [primary = wanted[0], ...others] = sorted(wanted, mode, networks);
  if (primary !== undefined) checkAgainstMode(primary.name, primary.network, mode, networks);
  for (const { name, network } of others) refuseReserved(name, network, mode);
  refuseOtherMac(body.MacAddress, primary);
  return joining(mode, primary === undefined ? [] : [primary, ...others]);
}

function refuseOtherMac(address: string | undefined, primary: RequestedEndpoint | undefined): void {
  const ofNetwork = primary?.settings.MacAddress;
  if (!address || !ofNetwork || address.toLowerCase() === ofNetwork.toLowerCase()) return;
  throw invalidArgument(`MacAddress: ${address} is not ${ofNetwork}, the MacAddress of the network "${primary?.name}"`);
}

interface RequestedEndpoint {
  /** As the client wrote it. */
  readonly name: string;
  readonly settings: EndpointSettings;
  readonly network: Network | undefined;
}

function requested(
  [reference, settings]: readonly [string, EndpointSettings],
  networks: Pick<NetworkService, 'get'>,
): RequestedEndpoint {
  const name = networkName(reference);
  checkEndpoint(settings, `invalid config for network ${name}: `);
  return { name, settings, network: find(networks, name) };
}

/** The network of the mode first, the others by their names. */
function sorted(
  wanted: readonly RequestedEndpoint[],
  mode: string,
  networks: Pick<NetworkService, 'get'>,
): readonly RequestedEndpoint[] {
  const ofMode = find(networks, networkName(mode))?.id;
  const isPrimary = ({ name, network }: RequestedEndpoint): boolean =>
    name === networkName(mode) || (network !== undefined && network.id === ofMode);
  return [...wanted].sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)) || (a.name < b.name ? -1 : 1));
}

function joining(mode: string, endpoints: readonly RequestedEndpoint[]): ChosenNetworks {
  const first = endpoints[0]?.network;
  const NetworkMode = mode === 'default' && first?.userDefined === true ? first.name : mode;
  const joined = new Map<string, ContainerRecord['networks'][string]>();
  for (const { name, network, settings } of endpoints) {
    if (network?.userDefined === false) refuseChoices(settings);
    const key = network?.name ?? name;
    if (joined.has(key)) throw invalidArgument(`NetworkingConfig: EndpointsConfig names "${key}" twice`);
    // Clients take "not found" at create for a missing image and pull it, so the start reports a missing network.
    joined.set(key, network === undefined ? settings : { ...settings, networkId: network.id });
  }
  return { NetworkMode, networks: Object.fromEntries(joined) };
}

/** Beside other networks there can be no joined namespace and no isolation from all of them. */
function refuseReserved(name: string, network: Network | undefined, mode: string): void {
  const isReserved =
    network?.hostStack === true || ['host', 'none'].includes(name) || joinedContainer(name) !== undefined;
  if (isReserved || ['host', 'none'].includes(mode)) {
    throw invalidArgument(`NetworkingConfig: EndpointsConfig names "${name}" beside NetworkMode "${mode}"`);
  }
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

/** @throws EngineError `invalid-argument` for what is no address, and for options, which it names with `where` in front. */
export function checkEndpoint({ IPAMConfig, MacAddress, DriverOpts = {} }: EndpointSettings, where?: string): void {
  const { IPv4Address, IPv6Address, LinkLocalIPs = [] } = IPAMConfig ?? {};
  if (IPv4Address && !isIPv4(IPv4Address)) throw invalidArgument(`invalid IPv4 address: ${IPv4Address}`);
  if (IPv6Address && !isIPv6(IPv6Address)) throw invalidArgument(`invalid IPv6 address: ${IPv6Address}`);
  for (const address of LinkLocalIPs) {
    if (!isLinkLocal(address)) throw invalidArgument(`invalid link local IP address: ${address}`);
  }
  checkMacAddress(MacAddress);
  checkEndpointOptions(DriverOpts, where);
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
