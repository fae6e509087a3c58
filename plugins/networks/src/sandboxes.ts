import { randomBytes } from 'node:crypto';
import {
  crashPoint,
  type JoinRequest,
  type NetworkDriver,
  type Sandbox,
  type SandboxDriver,
} from '@gantry/core/contracts';
import type { DriverSet, Logger } from '@gantry/core/driver';
import { EngineError, forbidden, internal, messageOf } from '@gantry/core/errors';
import type { EngineEvents } from '@gantry/core/plugin';
import type { Addresses } from './addresses.js';
import type { EndpointRecord, NetworkRecord } from './records.js';
import { formatResolvConf, mergeResolvConf, readHostResolvConf } from './resolv-conf.js';
import type { Resolvers } from './resolver/resolvers.js';
import type { Attachment, OpenSandbox, SandboxRequest } from './service.js';
import type { NetworkStore } from './store.js';
import { toEndpoint } from './to-endpoint.js';

export interface SandboxParts {
  readonly store: NetworkStore;
  readonly drivers: DriverSet<NetworkDriver>;
  readonly sandboxes: SandboxDriver;
  readonly addresses: Addresses;
  readonly resolvers: Resolvers;
  readonly events: EngineEvents;
  readonly log: Logger;
}

/** Sandboxes of containers and the endpoints in them. Calls for one container never overlap: the caller sees to it. */
export class Sandboxes {
  constructor(private readonly parts: SandboxParts) {}

  /** See `NetworkService.open`. */
  async open(request: SandboxRequest, options: { readonly signal?: AbortSignal } = {}): Promise<OpenSandbox> {
    const { store, resolvers, sandboxes } = this.parts;
    const { container, attachments } = request;
    await this.close(container.id, { silently: true });
    const conf = mergeResolvConf(request.dns, await readHostResolvConf());
    const networks = attachments.map(({ networkId }) => store.resolve(networkId));
    const hostStack = networks.some((network) => this.#driver(network).capabilities.hostStack);
    const resolver = !hostStack && networks.some((network) => this.#isUserDefined(network));
    try {
      const records = await this.#plan(container, attachments, networks);
      await store.change({
        endpoints: records,
        sandboxes: [{ containerId: container.id, nameservers: conf.nameservers, resolver }],
      });
      crashPoint('network.sandbox.recorded');
      const sandbox = hostStack ? sandboxes.host : await sandboxes.create(container.id);
      const joined: EndpointRecord[] = [];
      for (const record of records) joined.push(await this.#join(record, sandbox, options));
      if (resolver) await resolvers.open(container.id);
      await store.change({ endpoints: joined });
      for (const record of joined) this.#publish('connect', record);
      return {
        path: hostStack ? undefined : sandbox.path,
        endpoints: joined.map((record) => toEndpoint(store, record)),
        resolvConf: formatResolvConf(conf, resolver),
      };
    } catch (error) {
      await this.close(container.id, { silently: true });
      throw error;
    }
  }

  /** See `NetworkService.close`. What cannot be undone now is undone at the next start, and reported. */
  async close(containerId: string, { silently = false } = {}): Promise<void> {
    const { store, resolvers, sandboxes, log } = this.parts;
    const records = store.endpointsOf(containerId);
    if (records.length === 0 && store.sandbox(containerId) === undefined) return;
    await resolvers.close(containerId);
    for (const record of [...records].reverse()) await this.#leave(record);
    try {
      await sandboxes.remove(containerId);
    } catch (error) {
      log.error(
        { event: 'sandbox.left-over', container: containerId, reason: messageOf(error) },
        'sandbox not removed',
      );
    }
    await store.change({ removeEndpoints: records.map(({ id }) => id), removeSandboxes: [containerId] });
    if (!silently) for (const record of records) if (record.joined !== undefined) this.#publish('disconnect', record);
  }

  /** See `NetworkService.connect`. */
  async connect(containerId: string, attachment: Attachment): Promise<EndpointRecord> {
    const { store, sandboxes, resolvers } = this.parts;
    const network = store.resolve(attachment.networkId);
    const present = store.endpointsOf(containerId);
    const [first] = present;
    const sandbox = await sandboxes.get(containerId);
    if (sandbox === undefined) {
      throw forbidden(
        `container sharing network namespace with another container or host cannot be connected to any other network`,
      );
    }
    if (present.some((endpoint) => endpoint.networkId === network.id)) {
      const name = first?.containerName ?? containerId;
      throw forbidden(`endpoint with name ${name} already exists in network ${network.name}`);
    }
    if (this.#driver(network).capabilities.hostStack) {
      throw forbidden('container cannot be connected to host network');
    }
    const container = { id: containerId, name: first?.containerName ?? containerId };
    const hasDefault = present.some(({ request }) => request.defaultRoute);
    const taken = new Set(present.map(({ request }) => request.interfaceName));
    let number = 0;
    while (taken.has(`eth${number}`)) number += 1;
    const record = await this.#endpoint(container, attachment, network, number, !hasDefault && canRoute(network));
    try {
      await store.change({ endpoints: [record] });
      crashPoint('network.connect.recorded');
      const joined = await this.#join(record, sandbox, {});
      await store.change({ endpoints: [joined] });
      if (this.#isUserDefined(network)) await resolvers.open(containerId);
      this.#publish('connect', joined);
      return joined;
    } catch (error) {
      await this.#leave(record);
      await store.change({ removeEndpoints: [record.id] });
      throw error;
    }
  }

  /** See `NetworkService.disconnect`. */
  async disconnect(containerId: string, networkId: string): Promise<void> {
    const { store } = this.parts;
    const record = store.endpointsOf(containerId).find((endpoint) => endpoint.networkId === networkId);
    if (record === undefined) {
      const name = store.network(networkId)?.name ?? networkId;
      throw internal(`container ${containerId} is not connected to network ${name}`);
    }
    await this.#leave(record);
    await store.change({ removeEndpoints: [record.id] });
    this.#publish('disconnect', record);
  }

  /** Settles addresses and names before anything is made. On rejection every address is given back. */
  async #plan(
    container: { readonly id: string; readonly name: string },
    attachments: readonly Attachment[],
    networks: readonly NetworkRecord[],
  ): Promise<readonly EndpointRecord[]> {
    const route = networks.findIndex((network) => this.#driver(network).capabilities.addresses && canRoute(network));
    const records: EndpointRecord[] = [];
    try {
      for (const [index, attachment] of attachments.entries()) {
        const network = networks[index] as NetworkRecord;
        records.push(await this.#endpoint(container, attachment, network, index, index === route));
      }
    } catch (error) {
      for (const record of records) await this.#giveBack(record);
      throw error;
    }
    return records;
  }

  async #endpoint(
    container: { readonly id: string; readonly name: string },
    attachment: Attachment,
    network: NetworkRecord,
    index: number,
    defaultRoute: boolean,
  ): Promise<EndpointRecord> {
    const { addresses, store } = this.parts;
    const addressed = this.#driver(network).capabilities.addresses;
    const ipv4 = addressed ? await addresses.request(network, false, attachment.ipv4Address) : undefined;
    let ipv6: string | undefined;
    try {
      ipv6 = addressed && network.ipv6 ? await addresses.request(network, true, attachment.ipv6Address) : undefined;
    } catch (error) {
      await addresses.giveBack(network, ipv4);
      throw error;
    }
    const { macAddress } = attachment;
    const linkedTo = Object.values(attachment.links).flatMap((id) =>
      store.endpointsOf(id).flatMap((endpoint) => (endpoint.networkId === network.id ? [endpoint.id] : [])),
    );
    const request: EndpointRecord['request'] = {
      networkId: network.id,
      endpointId: randomBytes(32).toString('hex'),
      interfaceName: `eth${index}`,
      defaultRoute,
      ports: attachment.ports,
      linkedTo,
      ...(attachment.exposedPorts !== undefined && { exposedPorts: attachment.exposedPorts }),
      ...(ipv4 !== undefined && { ipv4 }),
      ...(ipv6 !== undefined && { ipv6 }),
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

  async #join(record: EndpointRecord, sandbox: Sandbox, options: { signal?: AbortSignal }): Promise<EndpointRecord> {
    const network = this.parts.store.resolve(record.networkId);
    const request: JoinRequest = { ...record.request, sandbox };
    const joined = await this.#driver(network)
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

  async #leave(record: EndpointRecord): Promise<void> {
    const network = this.parts.store.network(record.networkId);
    if (network === undefined) return;
    try {
      await this.#driver(network).leave(record.networkId, record.id);
    } catch (error) {
      const facts = { event: 'endpoint.left-over', endpoint: record.id, reason: messageOf(error) };
      this.parts.log.error(facts, 'endpoint not removed');
    }
    await this.#giveBack(record);
  }

  async #giveBack({ networkId, request }: EndpointRecord): Promise<void> {
    const network = this.parts.store.network(networkId);
    if (network === undefined) return;
    await this.parts.addresses.giveBack(network, request.ipv4);
    await this.parts.addresses.giveBack(network, request.ipv6);
  }

  #isUserDefined(network: NetworkRecord): boolean {
    return !network.predefined && this.#driver(network).capabilities.addresses;
  }

  #driver(network: NetworkRecord): NetworkDriver {
    return this.parts.drivers.get(network.driver);
  }

  #publish(action: string, record: EndpointRecord): void {
    const network = this.parts.store.network(record.networkId);
    if (network === undefined) return;
    const attributes = { container: record.containerId, name: network.name, type: network.driver };
    this.parts.events.publish({ type: 'network', action, actor: { id: network.id, attributes } });
  }
}

/** Internal networks lead nowhere. */
const canRoute = (network: NetworkRecord): boolean => !network.internal;
