import { forbidden, internal, messageOf } from '@gantry/core/errors';
import type { EndpointSettings, Network, NetworkContainers, NetworkService } from '@gantry/networks/service';
import { checkEndpoint, refuseChoices } from '../configuration/network/choose-networks.js';
import type { Container } from '../container.js';
import type { Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { addToHosts, removeFromHosts } from '../sandbox/hosts-file.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import { portRequests } from '../sandbox/ports.js';
import { attachmentTo, exposedBy, withOwnNames } from '../sandbox/sandbox-request.js';
import { useEmbeddedResolver } from '../sandbox/use-embedded-resolver.js';
import { isAlive } from '../transitions.js';

/** Containers, as the network area sees them. */
export class AttachableContainers implements NetworkContainers {
  constructor(private readonly parts: Parts) {}

  resolve(reference: string): { readonly id: string; readonly name: string; readonly running: boolean } {
    const { id, name, state } = this.parts.store.get(reference).record;
    return { id, name, running: isAlive(state) };
  }

  attach(containerId: string, networkId: string, endpoint: EndpointSettings): Promise<void> {
    const container = this.parts.store.get(containerId);
    return container.queue.run(() => this.#attach(container, networkId, endpoint));
  }

  detach(containerId: string, networkId: string): Promise<void> {
    const container = this.parts.store.get(containerId);
    return container.queue.run(() => this.#detach(container, networkId));
  }

  async #attach(container: Container, networkId: string, endpoint: EndpointSettings): Promise<void> {
    const { networks } = this.parts;
    const network = networks.get(networkId);
    checkEndpoint(endpoint);
    refuse(container.record, networks, networkId);
    if (!network.userDefined) refuseChoices(endpoint);
    const settings = { ...withNames(endpoint, container.record, network), networkId };
    if (!isAlive(container.record.state)) return this.#store(container, network.name, settings);
    const attachment = {
      ...attachmentTo(network.name, settings, container.record, networks),
      exposedPorts: exposedBy(container.record),
      ports: portRequests(container.record.hostConfig, container.record.config.ExposedPorts),
    };
    const joined = await container.networkCalls.run(() => networks.connect(container.id, attachment));
    try {
      await this.#store(container, network.name, settings);
    } catch (error) {
      await container.networkCalls.run(() => networks.disconnect(container.id, networkId));
      throw error;
    }
    await addToHosts(this.parts, container.record, joined);
    if (network.userDefined) await useEmbeddedResolver(this.parts, container.id);
  }

  async #store(container: Container, name: string, settings: EndpointSettings & { networkId: string }): Promise<void> {
    await container.change((record) => ({ ...record, networks: { ...record.networks, [name]: settings } }));
  }

  async #detach(container: Container, networkId: string): Promise<void> {
    const { networks } = this.parts;
    const name = nameOn(container.record, networks, networkId);
    if (name === undefined) {
      throw internal(`container ${container.id} is not connected to network ${networks.get(networkId).name}`);
    }
    const settings = container.record.networks[name];
    // First, so that a daemon that finds an endpoint which is not on record knows what to do with it: see `leaveUnrecorded`.
    await container.change((record) => {
      const { [name]: _left, ...others } = record.networks;
      return { ...record, networks: others };
    });
    if (!isAlive(container.record.state)) return;
    const left = networks.endpointsOf(container.id).find((endpoint) => endpoint.networkId === networkId);
    try {
      await container.networkCalls.run(() => networks.disconnect(container.id, networkId));
    } catch (error) {
      await container.change((record) =>
        settings === undefined ? undefined : { ...record, networks: { ...record.networks, [name]: settings } },
      );
      throw error;
    }
    if (left !== undefined) await removeFromHosts(this.parts, container.record, left);
  }
}

/**
 * Takes a running container off networks that are not on its record: a daemon was killed in the middle of a connect or
 * a disconnect. Never rejects.
 */
export async function leaveUnrecorded(parts: Parts, container: Container): Promise<void> {
  const { networks } = parts;
  const recorded = Object.entries(container.record.networks).map(
    ([name, { networkId }]) => networkId ?? safeGet(networks, name)?.id,
  );
  if (recorded.includes(undefined)) return;
  for (const endpoint of networks.endpointsOf(container.id)) {
    if (recorded.includes(endpoint.networkId)) continue;
    try {
      await container.networkCalls.run(() => networks.disconnect(container.id, endpoint.networkId));
      await removeFromHosts(parts, container.record, endpoint);
    } catch (error) {
      const facts = { event: 'container.endpoint-left', container: container.id, network: endpoint.networkName };
      parts.log.error({ ...facts, reason: messageOf(error) }, 'a container is on a network it should not be on');
    }
  }
}

/** What a container is called by others shows while it does not run, too. */
const withNames = (endpoint: EndpointSettings, record: ContainerRecord, { userDefined }: Network): EndpointSettings =>
  userDefined ? { ...endpoint, Aliases: withOwnNames(endpoint.Aliases, record) } : endpoint;

/** The name under which a container has a network, if it has it. */
function nameOn(record: ContainerRecord, networks: Pick<NetworkService, 'get'>, networkId: string): string | undefined {
  const { name } = networks.get(networkId);
  return Object.entries(record.networks).find(
    ([key, settings]) => settings.networkId === networkId || (settings.networkId === undefined && key === name),
  )?.[0];
}

function refuse(record: ContainerRecord, networks: Pick<NetworkService, 'get'>, networkId: string): void {
  const network = networks.get(networkId);
  if (nameOn(record, networks, networkId) !== undefined) {
    throw forbidden(`endpoint with name ${record.name} already exists in network ${network.name}`);
  }
  const names = Object.keys(record.networks);
  const others = names.map((name) => safeGet(networks, name));
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

function safeGet(networks: Pick<NetworkService, 'get'>, name: string) {
  try {
    return networks.get(name);
  } catch {
    return undefined;
  }
}
