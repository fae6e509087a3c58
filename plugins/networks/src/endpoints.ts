import { randomBytes } from 'node:crypto';
import type { JoinRequest, NetworkDriver, Sandbox } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { DriverSet, Logger } from '@gantry/core/driver';
import { EngineError, internal, invalidArgument, messageOf } from '@gantry/core/errors';
import type { EngineEvents } from '@gantry/core/plugin';
import type { Addresses } from './addresses.js';
import { linksTo } from './links.js';
import type { EndpointRecord, NetworkRecord } from './records.js';
import type { Attachment } from './service.js';
import type { NetworkStore } from './store.js';

export interface EndpointParts {
  readonly store: NetworkStore;
  readonly drivers: DriverSet<NetworkDriver>;
  readonly addresses: Addresses;
  readonly events: EngineEvents;
  readonly log: Logger;
}

/** The container an endpoint is of. */
export interface EndpointOwner {
  readonly id: string;
  /** Without the slash. */
  readonly name: string;
}

/** Single endpoints: their addresses, their place in a sandbox, and both given back. Records are the caller's. */
export class Endpoints {
  constructor(private readonly parts: EndpointParts) {}

  /** Settles addresses and names before anything is made. On rejection every address is given back. */
  async plan(
    container: EndpointOwner,
    attachments: readonly Attachment[],
    networks: readonly NetworkRecord[],
  ): Promise<readonly EndpointRecord[]> {
    const route = networks.findIndex((network) => this.canRoute(network));
    const publisher = networks.findIndex((network) => this.canPublish(network));
    const allPorts = attachments.flatMap(({ ports }) => ports);
    const records: EndpointRecord[] = [];
    try {
      for (const [index, asked] of attachments.entries()) {
        const network = networks[index] as NetworkRecord;
        const attachment = { ...asked, ports: index === publisher ? allPorts : [] };
        records.push(await this.prepare(container, attachment, network, index, index === route));
      }
    } catch (error) {
      for (const record of records) await this.giveBack(record);
      throw error;
    }
    return records;
  }

  /** One endpoint with its addresses, which are the caller's to give back. On rejection none is taken. */
  async prepare(
    container: EndpointOwner,
    attachment: Attachment,
    network: NetworkRecord,
    index: number,
    defaultRoute: boolean,
  ): Promise<EndpointRecord> {
    const { addresses, store } = this.parts;
    const addressed = this.driver(network).capabilities.addresses;
    const isWishVain = attachment.ipv6Address !== undefined && !network.ipv6;
    if (isWishVain) throw invalidArgument(`network ${network.name} has no IPv6 for address ${attachment.ipv6Address}`);
    const ipv4 = addressed ? await addresses.request(network, false, attachment.ipv4Address) : undefined;
    let ipv6: string | undefined;
    try {
      ipv6 = addressed && network.ipv6 ? await addresses.request(network, true, attachment.ipv6Address) : undefined;
    } catch (error) {
      await addresses.giveBack(network, ipv4);
      throw error;
    }
    const { linkLocal = [], macAddress } = attachment;
    const present = store.endpointsOn(network.id);
    const linkedTo = present.filter((other) => linksTo(attachment.links, other)).map(({ id }) => id);
    const self = { containerId: container.id, containerName: container.name };
    const linkedFrom = present.filter(({ links }) => linksTo(links, self)).map(({ id }) => id);
    const request: EndpointRecord['request'] = {
      networkId: network.id,
      endpointId: randomBytes(32).toString('hex'),
      interfaceName: `eth${index}`,
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
      request,
    };
  }

  /** Puts the endpoint into its sandbox. On rejection it is not there; its addresses stay. */
  async join(record: EndpointRecord, sandbox: Sandbox, options: { signal?: AbortSignal }): Promise<EndpointRecord> {
    const network = this.parts.store.resolve(record.networkId);
    const request: JoinRequest = { ...record.request, sandbox };
    const joined = await this.driver(network)
      .join(request, options)
      .catch((error: unknown) => {
        // A taken port is a conflict to the driver; to a client that starts a container it is the start that failed.
        if (!EngineError.is(error) || error.kind !== 'conflict') throw error;
        const where = `${record.containerName} (${record.id})`;
        throw internal(`driver failed programming external connectivity on endpoint ${where}: ${error.message}`, {
          cause: error,
        });
      });
    crashPoint('network.endpoint.joined');
    return { ...record, joined };
  }

  /** Takes it out and gives its addresses back. What cannot be undone now is undone at the next start, and reported. */
  async leave(record: EndpointRecord): Promise<void> {
    const network = this.parts.store.network(record.networkId);
    if (network === undefined) return;
    try {
      await this.driver(network).leave(record.networkId, record.id);
    } catch (error) {
      const facts = { event: 'endpoint.left-over', endpoint: record.id, reason: messageOf(error) };
      this.parts.log.error(facts, 'endpoint not removed');
    }
    await this.giveBack(record);
  }

  /** An address that cannot be given back is reported, and lost until the next start. */
  async giveBack({ networkId, request }: EndpointRecord): Promise<void> {
    const { addresses, log, store } = this.parts;
    const network = store.network(networkId);
    if (network === undefined) return;
    for (const address of [request.ipv4, request.ipv6]) {
      await addresses
        .giveBack(network, address)
        .catch((error: unknown) =>
          log.error({ event: 'address.left-over', address, reason: messageOf(error) }, 'address not given back'),
        );
    }
  }

  /** Internal networks lead nowhere, and without addresses there is nothing to route. */
  canRoute(network: NetworkRecord): boolean {
    return !network.internal && this.driver(network).capabilities.addresses;
  }

  /** Ports are published on one network only: with a second one the container would be in its own way. */
  canPublish(network: NetworkRecord): boolean {
    return !network.internal && this.driver(network).capabilities.publish;
  }

  isUserDefined(network: NetworkRecord): boolean {
    return !network.predefined && this.driver(network).capabilities.addresses;
  }

  driver(network: NetworkRecord): NetworkDriver {
    return this.parts.drivers.get(network.driver);
  }

  publish(action: string, record: EndpointRecord): void {
    const network = this.parts.store.network(record.networkId);
    if (network === undefined) return;
    const attributes = { container: record.containerId, name: network.name, type: network.driver };
    this.parts.events.publish({ type: 'network', action, actor: { id: network.id, attributes } });
  }
}

/** Link-local addresses are of one subnet, everywhere (RFC 3927, RFC 4291). */
const withLinkLocalPrefix = (address: string): string => `${address}/${address.includes(':') ? 64 : 16}`;
