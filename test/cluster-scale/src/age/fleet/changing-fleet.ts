import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { concurrently } from '@gantry/bench';
import { addressOf } from '../../nodes/address-of.js';
import { SimulatedNode } from '../../nodes/simulated-node.js';
import { commonNameOf } from '../certificates/common-name-of.js';
import encryptingNetworks from '../managers/encrypting-networks.js';
import { usedHeap } from '../measure/used-heap.js';
import type { FleetCommands, FleetObservation } from './fleet-commands.js';

const concurrentJoins = 4;

interface ListedNode {
  readonly node: SimulatedNode;
  readonly directory: string;
}

/** Simulated nodes that come and go. */
export class ChangingFleet implements FleetCommands {
  readonly #nodes: ListedNode[] = [];
  /** How many were ever made. */
  #made = 0;
  #certificatesSeen = 0;
  #lastSeen = new Set<string>();
  /** Nodes keep three keys at most: one that is among neither the last ones nor these is new. */
  #keys = new Set<string>();
  #keysSeen = 0;

  constructor(private readonly directory: string) {}

  async join({ count, manager, token }: Parameters<FleetCommands['join']>[0]): Promise<void> {
    const added = Array.from({ length: count }, () => this.#make());
    await concurrently(added, concurrentJoins, async ({ node }) => {
      await node.start();
      await node.join({ manager, token });
    });
    this.#nodes.push(...added);
  }

  async leave(): Promise<string> {
    const [first] = this.#nodes.splice(0, 1);
    if (first === undefined) throw new Error('there is no node that could leave');
    const id = commonNameOf(await first.node.certificate());
    await first.node.leave();
    await this.#end(first);
    return id;
  }

  async fail(count: number): Promise<number> {
    const running = this.#nodes.flatMap(({ node: { containers } }) =>
      containers.list().flatMap(({ id, state }) => (state.status === 'running' ? [{ containers, id }] : [])),
    );
    // Spread over all of them, and over other ones each time.
    const chosen = running.filter((_, index) => (index + this.#keysSeen) % Math.ceil(running.length / count) === 0);
    for (const { containers, id } of chosen) containers.exit(id, 1);
    return chosen.length;
  }

  async observe(): Promise<FleetObservation> {
    const certificates = await Promise.all(this.#nodes.map(({ node }) => node.certificate()));
    const fresh = certificates.filter((each) => !this.#lastSeen.has(each));
    this.#certificatesSeen += fresh.length;
    this.#lastSeen = new Set(certificates);
    return {
      runningContainers: this.#nodes.reduce((sum, { node }) => sum + node.containers.running, 0),
      certificates,
      certificatesSeen: this.#certificatesSeen,
      keysSeen: this.#keysSeen,
    };
  }

  async heap(): Promise<number> {
    return usedHeap();
  }

  /** All nodes stop at once, without leaving. */
  async stop(): Promise<void> {
    await concurrently(this.#nodes.splice(0), concurrentJoins, (each) => this.#end(each));
  }

  async #end({ directory, node }: ListedNode): Promise<void> {
    await node.stop();
    await rm(directory, { recursive: true, force: true });
  }

  #make(): ListedNode {
    const index = this.#made++;
    const directory = join(this.directory, String(index));
    const events = { assigned: () => undefined, keys: (ids: readonly string[]) => this.#see(ids) };
    return { node: new SimulatedNode(directory, addressOf(index), events, [encryptingNetworks]), directory };
  }

  #see(ids: readonly string[]): void {
    const fresh = [...new Set(ids)].filter((id) => !this.#keys.has(id));
    if (fresh.length === 0) return;
    this.#keysSeen += fresh.length;
    this.#keys = new Set([...this.#keys, ...fresh].slice(-keptKeys));
  }
}

/** Enough for nodes that hear of a rotation later than others. */
const keptKeys = 12;
