import { type Block, overlap, type Subnet, subnetAt } from '@gantry/lib-network/subnet';

/** Subnets of one size, allocated from one block. */
export interface SubnetSource {
  readonly base: Subnet;
  readonly size: number;
}

/** The first subnet of the sources that overlaps no taken block. Skips a taken block in one step, however large. */
export function firstFreeSubnet(sources: readonly SubnetSource[], taken: readonly Block[]): Subnet | undefined {
  for (const { base, size } of sources) {
    for (let from = base.first; from <= base.last; ) {
      const subnet = subnetAt(base.family, from, size);
      const obstacle = taken.find((block) => overlap(block, subnet));
      if (obstacle === undefined) return subnet;
      from = (obstacle.last > subnet.last ? subnetAt(base.family, obstacle.last, size).last : subnet.last) + 1n;
    }
  }
  return undefined;
}
