import { familyOf } from '@gantry/lib-network';
import { chainNameOf } from '../options/names.js';
import type { Chain } from './base-chains.js';
import type { NetworkRules } from './rule-state.js';

/** A network's own chain, which packets from its subnets traverse in postrouting. */
export const homeChain = ({ id, bridge, masquerade, internal }: NetworkRules): Chain => ({
  name: chainNameOf(id),
  rules: [
    // A published port of the same network: without it the reply would bypass NAT and carry an unknown address.
    `oifname "${bridge}" ct status dnat masquerade`,
    `oifname "${bridge}" return`,
    // Global IPv6 addresses are routed without NAT.
    ...(masquerade && !internal ? ['meta nfproto ipv4 masquerade', 'ip6 saddr fc00::/7 masquerade'] : []),
  ],
});

/** The elements of a network in the sets and maps of the table. */
export function networkElements(network: NetworkRules): readonly (readonly [set: string, element: string])[] {
  const { bridge, icc, internal, subnets } = network;
  const jump = `jump ${chainNameOf(network.id)}`;
  return [
    ['bridges', `"${bridge}"`],
    ['within', `"${bridge}" . "${bridge}" : ${icc ? 'accept' : 'jump linked'}`],
    ...(!icc && !internal ? ([['closed', `"${bridge}"`]] as const) : []),
    ...(internal ? ([['internal', `"${bridge}"`]] as const) : []),
    ...subnets.map((subnet) => [`leaving${familyOf(subnet) === 'ipv4' ? 4 : 6}`, `${subnet} : ${jump}`] as const),
  ];
}

const elements = (table: string, network: NetworkRules): string[] =>
  networkElements(network).map(([set, element]) => `element inet ${table} ${set} { ${element} }`);

/** For a network whose chain exists already. */
export const addElements = (table: string, network: NetworkRules): string =>
  elements(table, network)
    .map((element) => `add ${element}`)
    .join('\n');

/** nftables commands that add a network's chain and its elements of the maps. */
export function addNetwork(table: string, network: NetworkRules): string {
  const { name, rules } = homeChain(network);
  const chain = `inet ${table} ${name}`;
  return [`add chain ${chain}`, ...rules.map((rule) => `add rule ${chain} ${rule}`), addElements(table, network)].join(
    '\n',
  );
}

/** nftables commands that delete both. */
export function removeNetwork(table: string, network: NetworkRules): string {
  const chain = `inet ${table} ${chainNameOf(network.id)}`;
  return [
    ...elements(table, network).map((element) => `delete ${element}`),
    `flush chain ${chain}`,
    `delete chain ${chain}`,
  ].join('\n');
}
