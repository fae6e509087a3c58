import type { PublishedPort } from '@gantry/core/contracts';
import { familyOf } from '@gantry/lib-network';
import type { EndpointRules, LinkRule } from './rule-state.js';

/** Commands that add (or delete) the elements of endpoints: one per map, however many there are. */
export function endpointCommands(verb: 'add' | 'delete', table: string, endpoints: readonly EndpointRules[]): string {
  return [...endpointElements(verb, endpoints)]
    .map(([set, elements]) => `${verb} element inet ${table} ${set} { ${elements.join(', ')} }`)
    .join('\n');
}

/** The elements of endpoints in the sets and maps of the table, by set. */
export function endpointElements(
  verb: 'add' | 'delete',
  endpoints: Iterable<EndpointRules>,
): ReadonlyMap<string, readonly string[]> {
  const bySet = new Map<string, string[]>();
  const put = (set: string, key: string, value: string): void => {
    const element = verb === 'delete' ? key : `${key} : ${value}`;
    const elements = bySet.get(set);
    if (elements === undefined) bySet.set(set, [element]);
    else elements.push(element);
  };
  for (const endpoint of endpoints) {
    for (const port of endpoint.ports) putPort(put, port, endpoint);
  }
  return bySet;
}

/** No element for a port of a family that the container has no address of: its socket relays it. */
function putPort(
  put: (set: string, key: string, value: string) => void,
  { protocol, hostIp, hostPort, containerPort }: PublishedPort,
  { ipv4, ipv6 }: EndpointRules,
): void {
  const family = familyOf(hostIp);
  const target = family === 'ipv4' ? ipv4 : ipv6;
  if (target === undefined) return;
  const map = family === 'ipv4' ? 'publish4' : 'publish6';
  const value = `${target} . ${containerPort}`;
  const isEvery = hostIp === '0.0.0.0' || hostIp === '::';
  if (isEvery) put(map, `${protocol} . ${hostPort}`, value);
  else put(`${map}_at`, `${hostIp} . ${protocol} . ${hostPort}`, value);
}

/** nftables commands that add or delete the elements of links; empty without links. */
export function linkCommands(verb: 'add' | 'delete', table: string, links: readonly LinkRule[]): string {
  const elements = links.map(({ from, to, protocol, port }) => `${from} . ${to} . ${protocol} . ${port}`);
  return elements.length === 0 ? '' : `${verb} element inet ${table} links { ${elements.join(', ')} }`;
}
