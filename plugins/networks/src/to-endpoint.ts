import type { EndpointRecord } from './records.js';
import type { Endpoint } from './service.js';
import type { NetworkStore } from './store.js';

function split(address: string | undefined): readonly [address: string, prefixLength: number] {
  const [bare = '', length = '0'] = (address ?? '').split('/');
  return [bare, Number(length)];
}

const known = new WeakMap<EndpointRecord, Endpoint>();

/** What other areas see of an endpoint. The same object for as long as nothing changes, so that others can tell. */
export function toEndpoint(store: NetworkStore, record: EndpointRecord): Endpoint {
  const networkName = store.network(record.networkId)?.name ?? '';
  let endpoint = known.get(record);
  if (endpoint?.networkName !== networkName) {
    endpoint = describe(record, networkName);
    known.set(record, endpoint);
  }
  return endpoint;
}

function describe(record: EndpointRecord, networkName: string): Endpoint {
  const { request, joined } = record;
  const [ipv4Address, ipv4PrefixLength] = split(request.ipv4);
  const [ipv6Address, ipv6PrefixLength] = split(request.ipv6);
  return {
    id: record.id,
    networkId: record.networkId,
    networkName,
    interfaceName: request.interfaceName,
    macAddress: joined?.macAddress ?? '',
    ipv4Address,
    ipv4PrefixLength,
    gateway: joined?.gateway ?? '',
    ipv6Address,
    ipv6PrefixLength,
    ipv6Gateway: joined?.ipv6Gateway ?? '',
    aliases: record.aliases,
    ports: joined?.ports ?? [],
  };
}
