import { isDeepStrictEqual } from 'node:util';
import type { ClusterStore } from '@gantry/core/contracts';
import { assignPorts } from '../endpoints/assign-ports.js';
import { serviceKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import { portName } from '../spec/ports.js';
import { checkNames } from './store-errors.js';

/**
 * A service that is rolled back, with ports that are free: other services may have taken those of its earlier specification.
 * @throws EngineError `invalid-argument` for a port that the specification names and another service has.
 */
export function restorePorts(store: ClusterStore, service: ServiceRecord): ServiceRecord {
  const holderOf = (name: string) => store.byName(serviceKind, name);
  const isFree = (name: string): boolean => [undefined, service.ID].includes(holderOf(name)?.id);
  const kept = service.Ports.filter((port) => isFree(portName(port)));
  const ports = assignPorts(service.Spec, (name) => holderOf(name) !== undefined, kept);
  checkNames(store, service.ID, service.Spec.Name ?? '', ports);
  if (isDeepStrictEqual(ports, service.Ports)) return service;
  // Tasks with the ports of before are outdated.
  const version = service.LatestSpecVersion + 1;
  return { ...service, Ports: ports, SpecVersion: version, LatestSpecVersion: version };
}
