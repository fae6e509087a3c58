/** Which packets of a node are lost. */
export interface Partition {
  /** Addresses that it is cut off from; everything outside of the node without it. */
  readonly from?: readonly string[];
  /** Packets that arrive, packets that leave, or both without it. */
  readonly direction?: 'in' | 'out';
  /** How many of a hundred of these packets are lost; all of them without it. */
  readonly percent?: number;
}

/** Commands of nft that take the place of those for an earlier partition. Without partitions no packet is lost. */
export function partitionRules(partitions: readonly Partition[]): string {
  const commands = ['add table inet partition', 'delete table inet partition'];
  if (partitions.length === 0) return commands.join('\n');
  commands.push('add table inet partition');
  for (const hook of ['input', 'output'] as const) {
    commands.push(`add chain inet partition ${hook} { type filter hook ${hook} priority -500; policy accept; }`);
  }
  for (const { direction, from, percent } of partitions) {
    const loss = percent === undefined ? '' : `numgen random mod 100 < ${percent} `;
    const others = (side: 'saddr' | 'daddr') => (from === undefined ? '' : `ip ${side} { ${from.join(', ')} } `);
    if (direction !== 'out') commands.push(`add rule inet partition input iifname eth0 ${others('saddr')}${loss}drop`);
    if (direction !== 'in') commands.push(`add rule inet partition output oifname eth0 ${others('daddr')}${loss}drop`);
  }
  return commands.join('\n');
}
