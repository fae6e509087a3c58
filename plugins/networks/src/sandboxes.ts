import { isDeepStrictEqual } from 'node:util';
import type { Sandbox, SandboxDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { Logger } from '@gantry/core/driver';
import { forbidden, internal, kindOf, messageOf } from '@gantry/core/errors';
import type { Endpoints } from './endpoints.js';
import type { EndpointRecord, NetworkRecord } from './records.js';
import { formatResolvConf, forwardersOf, mergeResolvConf, readHostResolvConf } from './resolv-conf.js';
import type { Resolvers } from './resolver/resolvers.js';
import type { Attachment, OpenSandbox, SandboxRequest } from './service.js';
import type { NetworkStore } from './store.js';
import { toEndpoint } from './to-endpoint.js';

export interface SandboxParts {
  readonly store: NetworkStore;
  readonly endpoints: Endpoints;
  readonly sandboxes: SandboxDriver;
  readonly resolvers: Resolvers;
  readonly log: Logger;
}

/** Sandboxes of containers and the endpoints in them. Calls for one container never overlap: the caller sees to it. */
export class Sandboxes {
  constructor(private readonly parts: SandboxParts) {}

  /** See `NetworkService.open`. */
  async open(request: SandboxRequest, options: { readonly signal?: AbortSignal } = {}): Promise<OpenSandbox> {
    const { endpoints, store, resolvers, sandboxes } = this.parts;
    const { container, attachments } = request;
    await this.close(container.id, { silently: true });
    const host = await readHostResolvConf();
    const conf = mergeResolvConf(request.dns, host);
    const networks = attachments.map(({ networkId }) => store.resolve(networkId));
    const hostStack = networks.some((network) => endpoints.driver(network).capabilities.hostStack);
    const resolver = !hostStack && networks.some((network) => endpoints.isUserDefined(network));
    const records = await endpoints.plan(container, attachments, networks);
    try {
      const { id: containerId, name: containerName } = container;
      await store.change({
        endpoints: records,
        sandboxes: [{ containerId, containerName, nameservers: forwardersOf(request.dns, host), resolver }],
      });
    } catch (error) {
      for (const record of records) await endpoints.giveBack(record);
      throw error;
    }
    try {
      crashPoint('network.sandbox.recorded');
      const sandbox = hostStack ? sandboxes.host : await this.#createSandbox(container.id);
      const joined: EndpointRecord[] = [];
      for (const record of records) joined.push(await endpoints.join(record, sandbox, options));
      if (resolver) await resolvers.open(container.id);
      await store.change({ endpoints: joined });
      for (const record of joined) endpoints.publish('connect', record);
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
    const { endpoints, store, resolvers, sandboxes, log } = this.parts;
    const records = store.endpointsOf(containerId);
    if (records.length === 0 && store.sandbox(containerId) === undefined) return;
    await resolvers.close(containerId);
    for (const record of [...records].reverse()) await endpoints.leave(record);
    try {
      await sandboxes.remove(containerId);
    } catch (error) {
      log.error(
        { event: 'sandbox.left-over', container: containerId, reason: messageOf(error) },
        'sandbox not removed',
      );
    }
    crashPoint('network.sandbox.removed');
    await store.change({ removeEndpoints: records.map(({ id }) => id), removeSandboxes: [containerId] });
    if (!silently)
      for (const record of records) if (record.joined !== undefined) endpoints.publish('disconnect', record);
  }

  /** See `NetworkService.connect`. */
  async connect(containerId: string, attachment: Attachment): Promise<EndpointRecord> {
    const { endpoints, store, sandboxes, resolvers } = this.parts;
    const network = store.resolve(attachment.networkId);
    const present = store.endpointsOf(containerId);
    const sandboxRecord = store.sandbox(containerId);
    const name = sandboxRecord?.containerName ?? present[0]?.containerName ?? containerId;
    const sandbox = await sandboxes.get(containerId);
    if (sandbox === undefined) {
      throw forbidden(
        `container sharing network namespace with another container or host cannot be connected to any other network`,
      );
    }
    if (present.some((endpoint) => endpoint.networkId === network.id)) {
      throw forbidden(`endpoint with name ${name} already exists in network ${network.name}`);
    }
    if (endpoints.driver(network).capabilities.hostStack) {
      throw forbidden('container cannot be connected to host network');
    }
    const container = { id: containerId, name };
    const hasDefault = present.some(({ request }) => request.defaultRoute);
    const taken = new Set(present.map(({ request }) => request.interfaceName));
    let number = 0;
    while (taken.has(`eth${number}`)) number += 1;
    const isPublisher =
      endpoints.canPublish(network) && !present.some((endpoint) => endpoints.canPublish(networkOf(store, endpoint)));
    const record = await endpoints.prepare(
      container,
      isPublisher ? attachment : { ...attachment, ports: [] },
      network,
      number,
      !hasDefault && endpoints.canRoute(network),
    );
    try {
      await store.change({ endpoints: [record] });
      crashPoint('network.connect.recorded');
      const joined = await endpoints.join(record, sandbox, {});
      const resolver = endpoints.isUserDefined(network);
      if (resolver) await resolvers.open(containerId);
      await store.change({
        endpoints: [joined],
        ...(resolver && sandboxRecord !== undefined && { sandboxes: [{ ...sandboxRecord, resolver }] }),
      });
      endpoints.publish('connect', joined);
      return joined;
    } catch (error) {
      await endpoints.leave(record);
      await store.change({ removeEndpoints: [record.id] });
      throw error;
    }
  }

  /** See `NetworkService.disconnect`. */
  async disconnect(containerId: string, networkId: string): Promise<void> {
    const { endpoints, store } = this.parts;
    const record = store.endpointsOf(containerId).find((endpoint) => endpoint.networkId === networkId);
    if (record === undefined) {
      const name = store.network(networkId)?.name ?? networkId;
      throw internal(`container ${containerId} is not connected to network ${name}`);
    }
    await endpoints.leave(record);
    crashPoint('network.disconnect.left');
    await store.change({ removeEndpoints: [record.id] });
    endpoints.publish('disconnect', record);
    await this.#succeed(record);
  }

  /** What an endpoint that left was for the container, another one becomes: its way out, and the one with its ports. */
  async #succeed({ containerId, id, request: { defaultRoute, ports } }: EndpointRecord): Promise<void> {
    const { endpoints, log, sandboxes, store } = this.parts;
    const others = store.endpointsOf(containerId);
    const sandbox = await sandboxes.get(containerId);
    const heir = defaultRoute ? others.find((other) => endpoints.canRoute(networkOf(store, other))) : undefined;
    const publisher = others.find((other) => endpoints.canPublish(networkOf(store, other)));
    for (const other of others) {
      const request = {
        ...other.request,
        defaultRoute: other.request.defaultRoute || other === heir,
        ports: other === publisher && ports.length > 0 ? ports : other.request.ports,
      };
      if (sandbox === undefined || isDeepStrictEqual(request, other.request)) continue;
      try {
        await store.change({ endpoints: [await endpoints.join({ ...other, request }, sandbox, {})] });
      } catch (error) {
        const facts = { event: 'endpoint.not-succeeded', endpoint: id, reason: messageOf(error) };
        log.error(facts, 'the way out or the ports of a network were not taken over by another');
      }
    }
  }

  /** One that an earlier removal could not take away is taken away now. */
  async #createSandbox(id: string): Promise<Sandbox> {
    const { sandboxes } = this.parts;
    try {
      return await sandboxes.create(id);
    } catch (error) {
      if (kindOf(error) !== 'conflict') throw error;
      await sandboxes.remove(id);
      return sandboxes.create(id);
    }
  }
}

/** Networks stay while they have endpoints. */
const networkOf = (store: NetworkStore, { networkId }: EndpointRecord): NetworkRecord => store.resolve(networkId);
