import { invalidArgument } from '@gantry/core/errors';
import { checkOneOf } from './check-numbers.js';
import { modeOfPort, protocolOf } from './ports.js';
import type { EndpointSpec, PortConfig } from './service-spec.js';

/** @throws EngineError `invalid-argument` naming the field. */
export function checkEndpointSpec(endpoint: EndpointSpec | undefined): void {
  const { Mode: mode, Ports: ports = [] } = endpoint ?? {};
  checkOneOf('EndpointSpec.Mode', mode, ['vip', 'dnsrr']);
  if (mode === 'dnsrr' && ports.some((port) => modeOfPort(port) === 'ingress')) {
    throw invalidArgument("EndpointSpec: port published with ingress mode can't be used with dnsrr mode");
  }
  const targets = new Set<string>();
  const published = new Set<string>();
  for (const port of ports) {
    checkPort(port);
    const protocol = protocolOf(port);
    const target = `${modeOfPort(port)} ${port.PublishedPort ?? 0} ${port.TargetPort}/${protocol}`;
    if (targets.has(target))
      throw invalidArgument(`EndpointSpec.Ports: duplicate ports: ${port.TargetPort}/${protocol}`);
    targets.add(target);
    if ((port.PublishedPort ?? 0) === 0) continue;
    const key = `${port.PublishedPort}/${protocol}`;
    if (published.has(key)) throw invalidArgument(`EndpointSpec.Ports: duplicate published ports provided: ${key}`);
    published.add(key);
  }
}

function checkPort(port: PortConfig): void {
  checkOneOf('EndpointSpec.Ports.Protocol', port.Protocol, ['tcp', 'udp', 'sctp']);
  checkOneOf('EndpointSpec.Ports.PublishMode', port.PublishMode, ['ingress', 'host']);
  for (const [field, least] of [
    ['TargetPort', 1],
    ['PublishedPort', 0],
  ] as const) {
    const value = port[field] ?? 0;
    if (value < least || value > 65_535)
      throw invalidArgument(`EndpointSpec.Ports.${field}: ${value} is not a port of ${least} to 65535`);
  }
}
