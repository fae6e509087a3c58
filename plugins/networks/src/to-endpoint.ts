import type { EndpointRecord } from './records.js';
import type { Endpoint } from './service.js';
import type { NetworkStore } from './store.js';

function split(address: string | undefined): readonly [address: string, prefixLength: number] {
  const [bare = '', length = '0'] = (address ?? '').split('/');
  return [bare, Number(length)];
}

/** What other areas see of an endpoint. */
export function toEndpoint(store: NetworkStore, record: EndpointRecord): Endpoint {
  const { request, joined } = record;
  const [ipv4Address, ipv4PrefixLength] = split(request.ipv4);
  const [ipv6Address, ipv6PrefixLength] = split(request.ipv6);
  return {
    id: record.id,
    networkId: record.networkId,
    networkName: store.network(record.networkId)?.name ?? '',
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
