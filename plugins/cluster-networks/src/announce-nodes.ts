import { setTimeout as delay } from 'node:timers/promises';
import {
  ClusterInfo,
  ClusterService,
  type ManagerSession,
  NodeConnections,
  type NodeSession,
} from '@gantry/cluster/service';
import { type NetworkDriver, NetworkDrivers, type NetworkNode } from '@gantry/core/contracts';
import {
  type DriverLifecycle,
  type DriverSet,
  inject,
  injectable,
  Lifetime,
  Logger,
  untilAborted,
} from '@gantry/core/driver';
import { type NodesMessage, parseNodes, readyNodes } from './ready-nodes.js';

const nodesPath = '/networks/nodes';

/** Milliseconds between a broken stream of nodes and the next one. */
const streamDelay = 1_000;

/** Milliseconds until a driver that failed is given the nodes again: doubled each time, up to the maximum. */
const retryDelays = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

type Following = NetworkDriver & Required<Pick<NetworkDriver, 'nodes'>>;

const followsNodes = (driver: NetworkDriver): driver is Following => driver.capabilities.nodes === true;

/**
 * Gives the nodes of the swarm to network drivers that follow them. They come from the store of the leader: a node that does
 * not lead is only sent them while it has such a driver. Without a connection drivers keep the nodes that they were given.
 */
@injectable()
export class AnnounceNodes implements DriverLifecycle {
  readonly #nodes = new Map<string, NetworkNode>();
  /** Until then drivers keep the nodes of before the daemon's start. */
  #isKnown = false;
  /** By driver; each is given the nodes by one call at a time. */
  readonly #calls = new Map<Following, { isDue: boolean }>();
  readonly #listeners = new Set<() => void>();

  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(ClusterInfo.token) private readonly info: Pick<ClusterInfo, 'headline'>,
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    const { cluster, connections, drivers, lifetime } = this;
    lifetime.add(connections.answerStream(nodesPath, ({ session, signal }) => readyNodes(session.store, signal)));
    const end = drivers.onChange?.(() => {
      for (const listener of [...this.#listeners]) listener();
      this.#announce();
    });
    if (end !== undefined) lifetime.add(end);
    lifetime.add(cluster.whileManager((session) => this.#followStore(session)));
    lifetime.add(connections.whileNode((session) => this.#followLeader(session)));
  }

  /** The swarm of before the start is known by now. */
  async ready(): Promise<void> {
    if (this.info.headline !== 'inactive') return;
    this.#isKnown = true;
    this.#announce();
  }

  async #followStore({ nodeId, signal, store }: ManagerSession): Promise<void> {
    const open = AbortSignal.any([signal, store.closed]);
    await this.#whileUsed(open, (ended) => this.#follow(readyNodes(store, ended), nodeId));
    this.#endOf(signal);
  }

  async #followLeader(session: NodeSession): Promise<void> {
    const { nodeId, signal } = session;
    await this.#whileUsed(signal, (ended) => this.#follow(session.stream(nodesPath, null, ended), nodeId));
    this.#endOf(signal);
  }

  async #follow(messages: AsyncIterable<unknown>, ownId: string): Promise<void> {
    let isFirst = true;
    for await (const message of messages) {
      this.#apply(parseNodes(message), ownId, isFirst);
      isFirst = false;
    }
  }

  /** Follows nodes while there is a driver that does: each change of a large swarm costs time. */
  async #whileUsed(signal: AbortSignal, follow: (ended: AbortSignal) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const unused = new AbortController();
      try {
        await this.#untilUsed(true, signal);
        void this.#untilUsed(false, AbortSignal.any([signal, unused.signal])).then(() => unused.abort());
        await follow(AbortSignal.any([signal, unused.signal]));
      } catch (err) {
        if (!signal.aborted && !unused.signal.aborted) {
          this.log.debug({ event: 'networks.nodes-interrupted', err }, 'the stream of nodes broke; resuming');
        }
      } finally {
        unused.abort();
      }
      await delay(streamDelay, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
  }

  /** An engine that stops is a node still. */
  #endOf({ reason }: AbortSignal): void {
    if (reason !== 'left') return;
    this.#nodes.clear();
    this.#announce();
  }

  /** Resolves when there is a driver that follows nodes, or none, or the signal has aborted. */
  async #untilUsed(isUsed: boolean, signal: AbortSignal): Promise<void> {
    const changed = new AbortController();
    const check = (): void => {
      if ([...this.drivers.entries()].some(([, driver]) => followsNodes(driver)) === isUsed) changed.abort();
    };
    this.#listeners.add(check);
    check();
    await untilAborted(AbortSignal.any([signal, changed.signal]));
    this.#listeners.delete(check);
  }

  #apply({ gone, ready }: NodesMessage, ownId: string, isComplete: boolean): void {
    this.#isKnown = true;
    if (isComplete) this.#nodes.clear();
    for (const id of gone) this.#nodes.delete(id);
    for (const { address, id } of ready) this.#nodes.set(id, { id, address, isSelf: id === ownId });
    this.#announce();
  }

  #announce(): void {
    if (!this.#isKnown) return;
    for (const [id, driver] of this.drivers.entries()) {
      if (!followsNodes(driver)) continue;
      const call = this.#calls.get(driver);
      if (call !== undefined) call.isDue = true;
      else void this.#give(id, driver);
    }
  }

  /** The newest nodes, until the driver has them or has left. Never rejects. */
  async #give(id: string, driver: Following): Promise<void> {
    const call = { isDue: true };
    this.#calls.set(driver, call);
    let failures = 0;
    while (call.isDue && this.#isPresent(id, driver)) {
      call.isDue = false;
      try {
        await driver.nodes([...this.#nodes.values()]);
        failures = 0;
      } catch (err) {
        call.isDue = true;
        const wait = retryDelays[Math.min(failures++, retryDelays.length - 1)];
        const facts = { event: 'networks.nodes-not-given', driver: id, err };
        this.log.warn(facts, 'failed to give a network driver the nodes of the swarm; retrying');
        await delay(wait, undefined, { ref: false });
      }
    }
    this.#calls.delete(driver);
  }

  #isPresent(id: string, driver: NetworkDriver): boolean {
    return this.drivers.has(id) && this.drivers.get(id) === driver;
  }
}
