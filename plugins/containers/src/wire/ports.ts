import type { PublishedPort } from '@gantry/core/contracts';
import type { ContainerRecord } from '../record.js';
import { parsePort } from '../sandbox/port-requests.js';
import { isAlive } from '../transitions.js';
import type { ListedFacts } from './live-facts.js';

type DeclaredPort = ReturnType<typeof parsePort>;

/** Every port that is exposed or bound, in the order of the numbers. */
export function declaredPorts({ config, hostConfig }: ContainerRecord): readonly DeclaredPort[] {
  const keys = new Set([...Object.keys(config.ExposedPorts ?? {}), ...Object.keys(hostConfig.PortBindings ?? {})]);
  return [...keys].map(parsePort).sort((a, b) => a.port - b.port);
}

const keyOf = ({ containerPort, protocol }: PublishedPort): string => `${containerPort}/${protocol}`;

function publishedPorts({ endpoints }: ListedFacts): Map<string, PublishedPort[]> {
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
export function toPortMap(record: ContainerRecord, live: ListedFacts): PortMap {
  if (!isAlive(record.state)) return {};
  const published = publishedPorts(live);
  const keys = new Set([
    ...declaredPorts(record).map(({ port, protocol }) => `${port}/${protocol}`),
    ...published.keys(),
  ]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const bindings = published.get(key);
      const shown = bindings?.map(({ hostIp, hostPort }) => ({ HostIp: hostIp, HostPort: String(hostPort) }));
      return [key, shown ?? null];
    }),
  );
}

interface PortEntry {
  readonly IP?: string;
  readonly PrivatePort: number;
  readonly PublicPort?: number;
  readonly Type: string;
}

/** The list's Ports: one entry for each host address, and one for what is only exposed. */
export function toPortList(record: ContainerRecord, live: ListedFacts, declared: readonly DeclaredPort[]): PortEntry[] {
  const list: PortEntry[] = [];
  if (!isAlive(record.state)) return list;
  for (const { ports } of live.endpoints) {
    for (const { hostIp, containerPort, hostPort, protocol } of ports) {
      list.push({ IP: hostIp, PrivatePort: containerPort, PublicPort: hostPort, Type: protocol });
    }
  }
  const published = list.length;
  for (const { port, protocol } of declared) {
    let isPublished = false;
    for (let index = 0; index < published; index += 1) {
      const entry = list[index];
      if (entry?.PrivatePort === port && entry.Type === protocol) isPublished = true;
    }
    if (!isPublished) list.push({ PrivatePort: port, Type: protocol });
  }
  return list.length > 1 ? list.sort((a, b) => a.PrivatePort - b.PrivatePort) : list;
}
