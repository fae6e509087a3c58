/** A chain, and where it is hooked in. */
export interface Chain {
  readonly name: string;
  readonly hook?: string;
  readonly rules: readonly string[];
}

/** Sets and maps that networks and endpoints add elements to: a lookup takes constant time. */
const sets = [
  'set bridges { type ifname; }',
  'set closed { type ifname; }',
  'set internal { type ifname; }',
  'map within { type ifname . ifname : verdict; }',
  'set links { type ipv4_addr . ipv4_addr . inet_proto . inet_service; }',
  'map leaving4 { type ipv4_addr : verdict; flags interval; }',
  'map leaving6 { type ipv6_addr : verdict; flags interval; }',
  'map publish4 { type inet_proto . inet_service : ipv4_addr . inet_service; }',
  'map publish4_at { type ipv4_addr . inet_proto . inet_service : ipv4_addr . inet_service; }',
  'map publish6 { type inet_proto . inet_service : ipv6_addr . inet_service; }',
  'map publish6_at { type ipv6_addr . inet_proto . inet_service : ipv6_addr . inet_service; }',
];

/** Their names. */
export const setNames: readonly string[] = sets.map((set) => set.split(' ', 2)[1] ?? '');

/** The rules that are independent of networks. README.md describes the path of a packet. */
const chains: readonly Chain[] = [
  {
    // Bridges route 127.0.0.0/8 (route_localnet) for connections from the host: refused from anywhere else.
    name: 'martians',
    hook: 'type filter hook prerouting priority -300; policy accept;',
    rules: ['iifname @bridges ip daddr 127.0.0.0/8 drop', 'iifname @bridges ip saddr 127.0.0.0/8 drop'],
  },
  {
    name: 'publish',
    rules: [
      'dnat ip to ip daddr . meta l4proto . th dport map @publish4_at',
      'dnat ip to meta l4proto . th dport map @publish4',
      'dnat ip6 to ip6 daddr . meta l4proto . th dport map @publish6_at',
      'dnat ip6 to meta l4proto . th dport map @publish6',
    ],
  },
  {
    // Containers of closed networks reach published ports through the sockets that hold them: the bridge would drop a
    // frame that NAT sends from one isolated port to another.
    name: 'arriving',
    hook: 'type nat hook prerouting priority -100; policy accept;',
    rules: [
      'iifname @closed return',
      'iifname != "lo" ip daddr 127.0.0.0/8 return',
      'fib daddr type local jump publish',
    ],
  },
  {
    name: 'own',
    hook: 'type nat hook output priority -100; policy accept;',
    rules: ['ip6 daddr ::1 return', 'fib daddr type local jump publish'],
  },
  {
    name: 'linked',
    rules: ['ip saddr . ip daddr . meta l4proto . th dport @links accept', 'drop'],
  },
  {
    name: 'through',
    hook: 'type filter hook forward priority 0; policy accept;',
    rules: [
      'iifname != @bridges oifname != @bridges accept',
      'ct state established,related accept',
      'iifname . oifname vmap @within',
      'iifname @internal drop',
      'oifname @internal drop',
      'oifname @bridges ct status dnat accept',
      'oifname @bridges drop',
      'ct state invalid drop',
    ],
  },
  {
    name: 'leaving',
    hook: 'type nat hook postrouting priority 100; policy accept;',
    rules: [
      'ip saddr 127.0.0.0/8 oifname @bridges ct status dnat masquerade',
      'ip saddr vmap @leaving4',
      'ip6 saddr vmap @leaving6',
    ],
  },
];

export const baseRuleCount = chains.reduce((count, { rules }) => count + rules.length, 0);

/**
 * Replaces the table by an empty one. All its chains must be listed here: an element of the same transaction cannot refer
 * to a chain that is added to the new table later.
 */
export function replaceTable(table: string, others: readonly Chain[]): string {
  const body = [...chains, ...others].map(
    ({ name, hook = '', rules }) => `chain ${name} {\n${[hook, ...rules].join('\n')}\n}`,
  );
  return `table inet ${table}\ndelete table inet ${table}\ntable inet ${table} {\n${[...sets, ...body].join('\n')}\n}\n`;
}
