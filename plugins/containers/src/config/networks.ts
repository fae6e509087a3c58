import { EngineError, invalidArgument } from '@gantry/core/errors';
import type { EndpointSettings, Network, NetworkService } from '@gantry/networks/service';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/open-sandbox.js';
import type { CreateBody } from './schema.js';

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
  const wanted = name === 'default' || name === '' ? 'bridge' : name;
  const network = find(networks, wanted);
  // Clients take "not found" at create for a missing image and pull it, so a missing network is for the start to tell.
  if (network === undefined) return { [wanted]: settings };
  checkEndpoint(settings, network.userDefined);
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

/** Names and addresses of one's own choice exist only where users define them. */
function checkEndpoint({ IPAMConfig, Aliases }: EndpointSettings, userDefined: boolean): void {
  if (userDefined) return;
  if (IPAMConfig?.IPv4Address || IPAMConfig?.IPv6Address) {
    throw invalidArgument('user specified IP address is supported on user defined networks only');
  }
  if (Aliases?.length) {
    throw invalidArgument('network-scoped alias is supported only for containers in user defined networks');
  }
}
