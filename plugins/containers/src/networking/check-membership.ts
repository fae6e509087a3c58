import { forbidden } from '@gantry/core/errors';
import type { Network, NetworkService } from '@gantry/networks/service';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';

type Networks = Pick<NetworkService, 'get'>;

/** The network, or undefined when it is deleted. */
export function findNetwork(networks: Networks, reference: string): Network | undefined {
  try {
    return networks.get(reference);
  } catch {
    return undefined;
  }
}

/** The name by which a container's record has a network, if it has it. */
export function nameOnRecord(record: ContainerRecord, networks: Networks, networkId: string): string | undefined {
  const { name } = networks.get(networkId);
  return Object.entries(record.networks).find(
    ([key, settings]) => settings.networkId === networkId || (settings.networkId === undefined && key === name),
  )?.[0];
}

/** Checks that a container can join a network beside those it is on. @throws EngineError `forbidden`. */
export function checkMembership(record: ContainerRecord, networks: Networks, networkId: string): void {
  const network = networks.get(networkId);
  if (nameOnRecord(record, networks, networkId) !== undefined) {
    throw forbidden(`endpoint with name ${record.name} already exists in network ${network.name}`);
  }
  const names = Object.keys(record.networks);
  const others = names.map((name) => findNetwork(networks, name));
  if (joinedContainer(record.hostConfig.NetworkMode) !== undefined || others.some((other) => other?.hostStack)) {
    throw forbidden(
      'container sharing network namespace with another container or host cannot be connected to any other network',
    );
  }
  if (names.includes('none') || (network.name === 'none' && network.predefined && names.length > 0)) {
    throw forbidden(
      'container cannot be connected to multiple networks with one of the networks in private (none) mode',
    );
  }
  if (network.hostStack) throw forbidden('container cannot be connected to host network');
}
