import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@gantry/test-nodes';
import { CommandProcess } from '../processes/command-process.js';
import type { Backends, PartCommands } from './part-commands.js';

const program = fileURLToPath(new URL('fleet-main.js', import.meta.url));

/** In a swarm each node has processors of its own: here those of the managers run first. */
const within = ['nice', '-n', '10'];

/** Fewer nodes do not need a process of their own. */
const nodesOfProcess = 500;

interface FleetOptions {
  readonly count: number;
  /** `address:port` of a manager. */
  readonly manager: string;
  readonly token: string;
}

/** Many simulated nodes, in as many processes as there are cores. */
export class Fleet {
  private constructor(private readonly parts: readonly CommandProcess<PartCommands>[]) {}

  /** Starts nodes and has them join a swarm by its token. They stop when the scope ends. */
  static async start(t: Scope, { count, manager, token }: FleetOptions): Promise<Fleet> {
    const processes = Math.min(availableParallelism(), Math.ceil(count / nodesOfProcess));
    const each = Math.ceil(count / processes);
    const parts = await Promise.all(
      Array.from({ length: processes }, () => CommandProcess.start<PartCommands>(t, { program, within })),
    );
    await Promise.all(
      parts.map((part, index) => {
        const first = index * each;
        return part.ask('join', { first, count: Math.min(each, count - first), manager, token });
      }),
    );
    return new Fleet(parts);
  }

  /** Containers that run on all nodes. */
  async running(): Promise<number> {
    const counts = await Promise.all(this.parts.map((part) => part.ask('running')));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Whether every node has heard of a manager after a moment, in milliseconds since the epoch. */
  hasHeardSince(moment: number): Promise<boolean> {
    return this.#all((part) => part.ask('hasHeardSince', moment));
  }

  /** Waits until every node has heard of so many managers, for each so many seconds at most. */
  async waitForManagers(count: number, seconds: number): Promise<void> {
    await Promise.all(this.parts.map((part) => part.ask('waitForManagers', count, seconds)));
  }

  /** Milliseconds from the manager's decision until the node had the task, of each that was assigned since the last call. */
  async takeAssignmentDelays(): Promise<readonly number[]> {
    return (await Promise.all(this.parts.map((part) => part.ask('takeAssignmentDelays')))).flat();
  }

  /** How often containers were created for each task, on all nodes. */
  async createdByTask(): Promise<ReadonlyMap<string, number>> {
    const created = new Map<string, number>();
    for (const part of this.parts) {
      for (const [task, times] of await part.ask('createdByTask')) created.set(task, (created.get(task) ?? 0) + times);
    }
    return created;
  }

  /** Tasks for which more than one was. */
  async tasksWithSeveralContainers(): Promise<number> {
    return [...(await this.createdByTask()).values()].filter((times) => times > 1).length;
  }

  /** The backends of the published port, as one node has them in effect. */
  async backends(): Promise<readonly string[]> {
    const [first] = this.parts as [CommandProcess<PartCommands>];
    return first.ask('backends');
  }

  /** Whether every node has the published port in effect with these backends. */
  hasBackends(wanted: Backends): Promise<boolean> {
    return this.#all((part) => part.ask('hasBackends', wanted));
  }

  /** Whether no node has a port in effect. */
  isWithoutPorts(): Promise<boolean> {
    return this.#all((part) => part.ask('isWithoutPorts'));
  }

  /** The program of a task's container ends with an error. */
  async fail(taskId: string): Promise<void> {
    await Promise.all(this.parts.map((part) => part.ask('fail', taskId)));
  }

  async #all(ask: (part: CommandProcess<PartCommands>) => Promise<boolean>): Promise<boolean> {
    return (await Promise.all(this.parts.map(ask))).every(Boolean);
  }
}
