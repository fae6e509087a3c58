import { conflict } from '@gantry/core/errors';
import { modeOfPort, portName, protocolOf } from '../spec/ports.js';
import type { PortConfig, ServiceSpec } from '../spec/service-spec.js';

const firstPort = 30_000;
const lastPort = 32_767;

/**
 * The ports of a service with every field, and a number for ingress ports that the client leaves to the cluster: the one
 * it had before, else the first free one.
 * @throws EngineError `conflict` when no port is free.
 */
export function assignPorts(
  spec: ServiceSpec,
  isTaken: (name: string) => boolean,
  before: readonly PortConfig[] = [],
): readonly PortConfig[] {
  const assigned = new Set<string>();
  return (spec.EndpointSpec?.Ports ?? []).map((given) => {
    const port = completePort(given);
    const earlier = before.find((candidate) => isSameTarget(candidate, port));
    const result =
      (port.PublishedPort ?? 0) !== 0 || modeOfPort(port) === 'host'
        ? port
        : {
            ...port,
            PublishedPort: earlier?.PublishedPort ?? freePort(port, (name) => isTaken(name) || assigned.has(name)),
          };
    assigned.add(portName(result));
    return result;
  });
}

const completePort = (port: PortConfig): PortConfig => ({
  ...(port.Name !== undefined && port.Name !== '' && { Name: port.Name }),
  Protocol: protocolOf(port),
  TargetPort: port.TargetPort ?? 0,
  ...((port.PublishedPort ?? 0) !== 0 && { PublishedPort: port.PublishedPort ?? 0 }),
  PublishMode: modeOfPort(port),
});

const isSameTarget = (left: PortConfig, right: PortConfig): boolean =>
  left.TargetPort === right.TargetPort &&
  protocolOf(left) === protocolOf(right) &&
  modeOfPort(left) === modeOfPort(right);

function freePort(port: PortConfig, isTaken: (name: string) => boolean): number {
  for (let number = firstPort; number <= lastPort; number++) {
    if (!isTaken(portName({ ...port, PublishedPort: number }))) return number;
  }
  throw conflict(`EndpointSpec.Ports: no free port is left between ${firstPort} and ${lastPort}`);
}
