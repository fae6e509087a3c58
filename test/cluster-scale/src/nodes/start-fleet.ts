import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concurrently } from '@gantry/bench';
import type { Scope } from '@gantry/test-nodes';
import { SimulatedNode } from './simulated-node.js';

/** Nodes that join at the same time. */
const concurrentJoins = 16;

/** Many simulated nodes in this process. */
export interface Fleet {
  readonly nodes: readonly SimulatedNode[];
  /** Milliseconds from the manager's decision until the node had the task, of each that was assigned so far. */
  readonly assignmentDelays: number[];
  /** Containers that run on all nodes. */
  readonly running: number;
  /** Whether every node has heard of a manager after a moment, in milliseconds since the epoch. */
  hasHeardSince(moment: number): boolean;
  /** How often containers were created for each task, on all nodes. */
  createdByTask(): ReadonlyMap<string, number>;
  /** Tasks for which more than one was. */
  readonly tasksWithSeveralContainers: number;
}

interface FleetOptions {
  readonly count: number;
  /** `address:port` of a manager. */
  readonly manager: string;
  readonly token: string;
}

/** Starts nodes and has them join a swarm by its token. They stop when the scope ends. */
export async function startFleet(t: Scope, { count, manager, token }: FleetOptions): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-fleet-'));
  const assignmentDelays: number[] = [];
  const nodes = Array.from(
    { length: count },
    (_, index) =>
      new SimulatedNode(join(directory, String(index)), addressOf(index), {
        assigned: (_taskId, delay) => void assignmentDelays.push(delay),
      }),
  );
  t.teardown(async () => {
    await concurrently(nodes, concurrentJoins, (node) => node.stop());
    await rm(directory, { recursive: true, force: true });
  });
  await concurrently(nodes, concurrentJoins, async (node) => {
    await node.start();
    await node.join({ manager, token });
  });
  const createdByTask = (): Map<string, number> => {
    const created = new Map<string, number>();
    for (const { containers } of nodes) {
      for (const [task, times] of containers.createdByTask) created.set(task, (created.get(task) ?? 0) + times);
    }
    return created;
  };
  return {
    nodes,
    assignmentDelays,
    get running() {
      return nodes.reduce((sum, { containers }) => sum + containers.running, 0);
    },
    hasHeardSince: (moment) => nodes.every(({ heardAt }) => heardAt > moment),
    createdByTask,
    get tasksWithSeveralContainers() {
      return [...createdByTask().values()].filter((times) => times > 1).length;
    },
  };
}

/** One of 127.64.0.0/10 for each: nothing listens there. */
export const addressOf = (index: number): string =>
  `127.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:2377`;
