import { nodes } from '@gantry/cluster/service';
import { type ClusterNetwork, networkKind } from '@gantry/cluster-networks/service';
import type { BalancedPort, ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { withoutPrefix } from '@gantry/lib-network';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import type { IngressState } from '../service.js';
import { modeOfPort, protocolOf } from '../spec/ports.js';
import type { PortConfig } from '../spec/service-spec.js';
import { isServing } from './is-serving.js';

/** Whether ports are published on every node. */
export const publishesIngress = (ports: readonly PortConfig[]): boolean =>
  ports.some((port) => modeOfPort(port) === 'ingress');

/** The network over which nodes reach the tasks behind published ports. */
export const ingressNetwork = (store: ClusterStore): ClusterRecord<ClusterNetwork> | undefined =>
  store.list(networkKind).find(({ value }) => value.ingress);

/** The published ports of the cluster with the running tasks behind them; undefined when there are none. */
export function ingressState(store: ClusterStore): IngressState | undefined {
  const record = ingressNetwork(store);
  if (record === undefined) return undefined;
  const { createdAt, id, value } = record;
  const ports = store.list(serviceKind).flatMap(({ value: service }) => portsOf(store, service, id));
  return ports.length === 0 ? undefined : { network: { id, createdAt, ...value }, ports };
}

function portsOf(store: ClusterStore, { ID: id, Ports: ports }: ServiceRecord, ingressId: string): BalancedPort[] {
  const published = ports.filter((port) => modeOfPort(port) === 'ingress');
  if (published.length === 0) return [];
  const tasks = store.select(taskKind, 'service', id).filter(({ value }) => isServing(value));
  return published.map((port) => {
    const behind = tasks.flatMap(({ value: { Addresses: addresses = [], NodeID: nodeId = '', Ports: own } }) => {
      // A task of an earlier specification may not listen on the port.
      if (!own.some((each) => each.TargetPort === port.TargetPort && protocolOf(each) === protocolOf(port))) return [];
      const onIngress = addresses.filter(({ NetworkID: network }) => network === ingressId);
      return onIngress.map(({ Addr }) => ({ address: withoutPrefix(Addr), nodeId }));
    });
    const transparent = behind.filter(({ nodeId }) => keepsAddresses(store, nodeId)).map(({ address }) => address);
    return {
      protocol: protocolOf(port),
      port: port.PublishedPort ?? 0,
      targetPort: port.TargetPort ?? 0,
      backends: behind.map(({ address }) => address),
      ...(transparent.length > 0 && { transparent }),
    };
  });
}

const keepsAddresses = (store: ClusterStore, nodeId: string): boolean =>
  store.get(nodes, nodeId)?.value.keepsClientAddresses === true;
