import type { Endpoint } from '../service.js';
import type { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';

function split(address: string | undefined): readonly [address: string, prefixLength: number] {
  const [bare = '', length = '0'] = (address ?? '').split('/');
  return [bare, Number(length)];
}

const cache = new WeakMap<EndpointRecord, Endpoint>();

/** The endpoint as other areas see it: the same object until something changes, so that callers can compare by identity. */
export function toEndpoint(store: NetworkStore, record: EndpointRecord): Endpoint {
  const networkName = store.network(record.networkId)?.name ?? '';
  let endpoint = cache.get(record);
  if (endpoint?.networkName !== networkName) {
    endpoint = describe(record, networkName);
    cache.set(record, endpoint);
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
    isGateway: record.isGateway ?? false,
  };
}
