import type { PublishedPort } from '@gantry/core/contracts';
import type { LiveFacts } from '../interfaces.js';
import type { ContainerRecord } from '../record.js';
import { parsePort } from '../sandbox/ports.js';
import { isAlive } from '../transitions.js';

/** `80/tcp` of every port that is exposed or bound, in the order of the numbers. */
export function declaredPorts({ config, hostConfig }: ContainerRecord): readonly string[] {
  const keys = [...Object.keys(config.ExposedPorts ?? {}), ...Object.keys(hostConfig.PortBindings ?? {})];
  const ports = new Map(keys.map(parsePort).map((port) => [`${port.port}/${port.protocol}`, port]));
  return [...ports].sort(([, a], [, b]) => a.port - b.port).map(([key]) => key);
}

const keyOf = ({ containerPort, protocol }: PublishedPort): string => `${containerPort}/${protocol}`;

function publishedPorts({ endpoints }: LiveFacts): Map<string, PublishedPort[]> {
  const byPort = new Map<string, PublishedPort[]>();
  for (const port of endpoints.flatMap(({ ports }) => ports)) {
    const key = keyOf(port);
    const list = byPort.get(key);
    if (list === undefined) byPort.set(key, [port]);
    else list.push(port);
  }
  return byPort;
}

type PortMap = Record<string, { readonly HostIp: string; readonly HostPort: string }[] | null>;

/** Inspect's Ports: `null` for what is exposed and not published. Empty while the container does not run. */
export function toPortMap(record: ContainerRecord, live: LiveFacts): PortMap {
  if (!isAlive(record.state)) return {};
  const published = publishedPorts(live);
  const keys = new Set([...declaredPorts(record), ...published.keys()]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const bindings = published.get(key);
      const shown = bindings?.map(({ hostIp, hostPort }) => ({ HostIp: hostIp, HostPort: String(hostPort) }));
      return [key, shown ?? null];
    }),
  );
}

/** The list's Ports: one entry for each host address, and one for what is only exposed. */
export function toPortList(record: ContainerRecord, live: LiveFacts, declared: readonly string[]): object[] {
  if (!isAlive(record.state)) return [];
  if (declared.length === 0 && live.endpoints.every(({ ports }) => ports.length === 0)) return [];
  const published = publishedPorts(live);
  return [...new Set([...declared, ...published.keys()])].flatMap((key): object[] => {
    const [number, protocol] = key.split('/');
    const port = { PrivatePort: Number(number), Type: protocol };
    const bindings = published.get(key);
    if (bindings === undefined) return [port];
    return bindings.map(({ hostIp, hostPort }) => ({
      IP: hostIp,
      PrivatePort: port.PrivatePort,
      PublicPort: hostPort,
      Type: protocol,
    }));
  });
}
