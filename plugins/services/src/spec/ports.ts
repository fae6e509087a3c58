import type { PortConfig } from './service-spec.js';

export const modeOfPort = ({ PublishMode: mode }: PortConfig): 'ingress' | 'host' =>
  mode === 'host' ? 'host' : 'ingress';

export const protocolOf = ({ Protocol: protocol }: PortConfig): 'tcp' | 'udp' | 'sctp' =>
  protocol === 'udp' || protocol === 'sctp' ? protocol : 'tcp';

/** What names a published port of the whole cluster: no two services have the same. */
export const portName = (port: PortConfig): string => `port ${port.PublishedPort}/${protocolOf(port)}`;

/** The names of the cluster's ports that a service publishes. Ports of the mode `host` are the nodes'. */
export const portNames = (ports: readonly PortConfig[]): readonly string[] =>
  ports.filter((port) => modeOfPort(port) === 'ingress').map(portName);
