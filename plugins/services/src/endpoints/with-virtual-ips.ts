import { unavailable } from '@gantry/core/errors';
import type { ServiceRecord } from '../records/service-record.js';
import type { AddressAllocation } from './address-book.js';
import { publishesIngress } from './ingress.js';

type VirtualIps = NonNullable<ServiceRecord['VirtualIPs']>;

/** The service with the virtual addresses of its specification. @throws EngineError as {@link virtualIps}. */
export function withVirtualIps(service: ServiceRecord, allocation: AddressAllocation): ServiceRecord {
  const { VirtualIPs: before = [], ...rest } = service;
  const addresses = virtualIps(service, before, allocation);
  return addresses.length > 0 ? { ...rest, VirtualIPs: addresses } : rest;
}

/**
 * The virtual addresses of a service, one on each of its networks of the swarm; those that it has stay. None with dnsrr.
 * @throws EngineError `unavailable` naming a network without a free address, and for ports without an ingress network.
 */
function virtualIps(
  { Ports: ports, Spec: spec }: Pick<ServiceRecord, 'Ports' | 'Spec'>,
  before: VirtualIps,
  allocation: AddressAllocation,
): VirtualIps {
  if (spec.EndpointSpec?.Mode === 'dnsrr') return [];
  const targets = new Set(
    (spec.TaskTemplate?.Networks ?? spec.Networks ?? []).map(({ Target: target = '' }) => target),
  );
  if (publishesIngress(ports)) targets.add(ingressOf(allocation));
  return [...targets].flatMap((networkId) => {
    const network = allocation.network(networkId);
    if (network === undefined) return [];
    const present = before.find(({ NetworkID: id }) => id === networkId);
    if (present !== undefined) return [present];
    const address = allocation.allocate(networkId);
    if (address === undefined) throw unavailable(`network ${network.name} has no free address for the virtual IP`);
    return [{ NetworkID: networkId, Addr: address }];
  });
}

function ingressOf(allocation: AddressAllocation): string {
  const id = allocation.ingressId();
  if (id !== undefined) return id;
  throw unavailable(
    'rpc error: code = FailedPrecondition desc = service needs ingress network, but no ingress network is present',
  );
}
