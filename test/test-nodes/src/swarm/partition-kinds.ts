import type { Partition } from '../faults/partition.js';
import type { SwarmNode } from '../nodes/start-nodes.js';

/** The nodes of a swarm by what they are at a moment. */
export interface Roles {
  readonly leader: SwarmNode;
  /** The other managers. */
  readonly followers: readonly [SwarmNode, SwarmNode];
  readonly workers: readonly [SwarmNode, SwarmNode];
}

/** What is lost at a node. */
interface Cut extends Partition {
  readonly node: SwarmNode;
}

type CutsOf = (roles: Roles) => readonly Cut[];

const addresses = (...nodes: readonly SwarmNode[]): readonly string[] => nodes.map(({ address }) => address);

const between = (some: readonly SwarmNode[], others: readonly SwarmNode[]): readonly Cut[] =>
  some.map((node) => ({ node, from: addresses(...others) }));

/**
 * Every kind of partition of three managers and two workers: single nodes, pairs, links, one direction only, and lost
 * packets. All of them cut nodes off that the swarm still has a majority of managers without, or, in the last group, none.
 */
export const partitionKinds: Readonly<Record<string, CutsOf>> = {
  'the leader alone': ({ leader }) => [{ node: leader }],
  'a follower alone': ({ followers: [follower] }) => [{ node: follower }],
  'a worker alone': ({ workers: [worker] }) => [{ node: worker }],
  'both workers, each alone': ({ workers }) => workers.map((node) => ({ node })),
  'two managers without the leader and the workers': ({ followers, leader, workers }) =>
    between(followers, [leader, ...workers]),
  'the leader and a worker': ({ followers, leader, workers: [one, other] }) =>
    between([leader, one], [...followers, other]),
  'a follower and a worker': ({ followers: [one, other], leader, workers: [worker, rest] }) =>
    between([one, worker], [other, leader, rest]),
  'a worker without the leader': ({ leader, workers: [worker] }) => between([worker], [leader]),
  'a follower without the leader': ({ followers: [follower], leader }) => between([follower], [leader]),
  'the two workers without each other': ({ workers: [one, other] }) => between([one], [other]),
  'the leader hears nothing': ({ leader }) => [{ node: leader, direction: 'in' }],
  'the leader is not heard': ({ leader }) => [{ node: leader, direction: 'out' }],
  'the leader does not hear a follower': ({ followers: [follower], leader }) => [
    { node: leader, from: addresses(follower), direction: 'in' },
  ],
  'a follower hears nothing': ({ followers: [follower] }) => [{ node: follower, direction: 'in' }],
  'a worker is not heard': ({ workers: [worker] }) => [{ node: worker, direction: 'out' }],
  'a worker does not hear the leader': ({ leader, workers: [worker] }) => [
    { node: worker, from: addresses(leader), direction: 'in' },
  ],
  'a fifth of the packets of the leader': ({ leader }) => [{ node: leader, percent: 20 }],
  'a fifth of the packets of a worker': ({ workers: [worker] }) => [{ node: worker, percent: 20 }],
  'a tenth of all packets': ({ followers, leader, workers }) =>
    [leader, ...followers, ...workers].map((node) => ({ node, percent: 10 })),
  'every manager alone': ({ followers, leader }) => [leader, ...followers].map((node) => ({ node })),
};

/** Cuts nodes off. @returns heals all of them. */
export async function cut(cuts: readonly Cut[]): Promise<() => Promise<void>> {
  const nodes = [...new Set(cuts.map(({ node }) => node))];
  await Promise.all(nodes.map((node) => node.partition(...cuts.filter((each) => each.node === node))));
  return async () => {
    await Promise.all(nodes.map((node) => node.heal()));
  };
}
