import { join } from 'node:path';
import { concurrently } from '@gantry/bench';
import { addressOf } from '../nodes/address-of.js';
import { SimulatedNode } from '../nodes/simulated-node.js';
import { until } from '../processes/until.js';
import type { Backends, PartCommands } from './part-commands.js';

/** Nodes of a process that join, or stop, at the same time. */
const concurrentJoins = 16;

/** The simulated nodes of one process. */
export class FleetPart implements PartCommands {
  readonly #nodes: SimulatedNode[] = [];
  #assignmentDelays: number[] = [];

  constructor(private readonly directory: string) {}

  async join({ count, first, manager, token }: Parameters<PartCommands['join']>[0]): Promise<void> {
    const assigned = (_taskId: string, delay: number): void => void this.#assignmentDelays.push(delay);
    for (let index = first; index < first + count; index++) {
      this.#nodes.push(new SimulatedNode(join(this.directory, String(index)), addressOf(index), { assigned }));
    }
    await concurrently(this.#nodes, concurrentJoins, async (node) => {
      await node.start();
      await node.join({ manager, token });
    });
  }

  async running(): Promise<number> {
    return this.#nodes.reduce((sum, { containers }) => sum + containers.running, 0);
  }

  async hasHeardSince(moment: number): Promise<boolean> {
    return this.#nodes.every(({ heardAt }) => heardAt > moment);
  }

  async waitForManagers(count: number, seconds: number): Promise<void> {
    for (const node of this.#nodes) {
      await until('a node knows the managers', seconds, async () => (await node.managers()) === count);
    }
  }

  async takeAssignmentDelays(): Promise<readonly number[]> {
    const delays = this.#assignmentDelays;
    this.#assignmentDelays = [];
    return delays;
  }

  async createdByTask(): Promise<readonly (readonly [string, number])[]> {
    return this.#nodes.flatMap(({ containers }) => [...containers.createdByTask]);
  }

  async backends(): Promise<readonly string[]> {
    return backendsOf(this.#nodes[0]);
  }

  async hasBackends({ count, kept, of }: Backends): Promise<boolean> {
    const old = new Set(of);
    return this.#nodes.every((node) => {
      const backends = backendsOf(node);
      if (count !== undefined && backends.length !== count) return false;
      return backends.filter((each) => old.has(each)).length === kept;
    });
  }

  async isWithoutPorts(): Promise<boolean> {
    return this.#nodes.every(({ containers }) => containers.ports.length === 0);
  }

  async fail(taskId: string): Promise<void> {
    for (const { containers } of this.#nodes) containers.exit(taskId.padEnd(64, '0'), 1);
  }

  /** All nodes stop, without leaving. */
  async stop(): Promise<void> {
    await concurrently(this.#nodes.splice(0), concurrentJoins, (node) => node.stop());
  }
}

const backendsOf = (node: SimulatedNode | undefined): readonly string[] => node?.containers.ports[0]?.backends ?? [];
