import { type Block, overlap, type Subnet, subnetAt } from '@gantry/lib-network/subnet';

/** Subnets of one size, allocated from one block. */
export interface SubnetSource {
  readonly base: Subnet;
  readonly size: number;
}

/**
 * The first subnet of the sources that overlaps no taken block. Skips a taken block in one step, however large, and looks
 * at each once for each source: engines have thousands of them.
 */
export function firstFreeSubnet(sources: readonly SubnetSource[], taken: readonly Block[]): Subnet | undefined {
  const ordered = [...taken].sort((one, other) => compare(one.first, other.first));
  for (const { base, size } of sources) {
    const blocks = ordered.filter((block) => overlap(block, base)).values();
    let obstacle = blocks.next();
    for (let from = base.first; from <= base.last; ) {
      const subnet = subnetAt(base.family, from, size);
      // Subnets ascend: what ends before this one is in the way of no later one.
      while (obstacle.done !== true && obstacle.value.last < subnet.first) obstacle = blocks.next();
      if (obstacle.done === true || obstacle.value.first > subnet.last) return subnet;
      const { last } = obstacle.value;
      from = (last > subnet.last ? subnetAt(base.family, last, size).last : subnet.last) + 1n;
    }
  }
  return undefined;
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
