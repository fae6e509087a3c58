import type { PortRequest } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig, PortBinding } from '../schema.js';

interface Port {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
}

const protocols: readonly string[] = ['tcp', 'udp', 'sctp'] satisfies readonly Port['protocol'][];

/** Reads `80/tcp`, `53/udp` or `80`. @throws EngineError `invalid-argument` naming the value. */
export function parsePort(text: string): Port {
  const [number = '', protocol = 'tcp', ...rest] = text.split('/');
  const port = /^\d{1,5}$/.test(number) ? Number(number) : -1;
  if (port < 1 || port > 65535 || !protocols.includes(protocol) || rest.length > 0) {
    throw invalidArgument(`invalid port specification: "${text}" is not a port such as 80/tcp`);
  }
  return { port, protocol: protocol as Port['protocol'] };
}

/** Reads HostPort: empty for any, a number or a range. @throws EngineError `invalid-argument`. */
export function parseHostPort(text: string): { readonly first: number; readonly last?: number } {
  const [, first = '0', last] = /^(?:(\d{1,5})(?:-(\d{1,5}))?)?$/.exec(text) ?? [undefined, '-1'];
  const range = { first: Number(first), last: last === undefined ? Number(first) : Number(last) };
  if (range.first < 0 || range.last > 65535 || range.last < range.first) {
    throw invalidArgument(`HostPort: "${text}" is not a port or a range of ports such as 8000-8010`);
  }
  return last === undefined ? { first: range.first } : range;
}

const bindingRequest = (port: Port, { HostIp = '', HostPort = '' }: PortBinding): PortRequest => {
  const { first, last } = parseHostPort(HostPort);
  return {
    protocol: port.protocol,
    containerPort: port.port,
    hostPort: first,
    ...(HostIp !== '' && { hostIp: HostIp }),
    ...(last !== undefined && { hostPortEnd: last }),
  };
};

/** What a start publishes: the bindings, and with PublishAllPorts every exposed port that has none. */
export function portRequests(
  hostConfig: HostConfig,
  exposedPorts: Readonly<Record<string, object>> = {},
): PortRequest[] {
  const { PortBindings = {}, PublishAllPorts = false } = hostConfig;
  const requests = Object.entries(PortBindings).flatMap(([key, bindings]) =>
    bindings.map((binding) => bindingRequest(parsePort(key), binding)),
  );
  if (!PublishAllPorts) return requests;
  const keyOf = ({ port, protocol }: Port) => `${port}/${protocol}`;
  const bound = new Set(requests.map((request) => `${request.containerPort}/${request.protocol}`));
  const others = Object.keys(exposedPorts)
    .map(parsePort)
    .filter((port) => !bound.has(keyOf(port)));
  return [...requests, ...others.map((port) => bindingRequest(port, {}))];
}
