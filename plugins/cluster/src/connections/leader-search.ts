import { setTimeout as delay } from 'node:timers/promises';
import { linkedSignal, untilAborted } from '@gantry/core/driver';
import { kindOf, messageOf, unavailable } from '@gantry/core/errors';
import { NodeConnection, type NodeIdentity } from '@gantry/lib-cluster-protocol';
import { managersPath } from '../messages/manager-messages.js';
import type { RemoteManager } from '../records/remote-managers.js';

interface LeaderSearchOptions<T> {
  /** Of this node, which may be a manager that the others know of. */
  readonly nodeId: string;
  readonly identity: NodeIdentity;
  /** Ends the search, with its reason. */
  readonly signal: AbortSignal;
  /** Begins a session. Only the leader accepts it; another manager may wait for the next leader before it refuses. */
  readonly begin: (connection: NodeConnection) => Promise<T>;
  /** Called when each manager has failed, with why, and again with every failure after that. */
  readonly onFailure: (error: unknown) => void;
}

interface Found<T> {
  readonly connection: NodeConnection;
  readonly answer: T;
}

const retryDelays = [50, 200, 500, 1000, 2000];
/** While every manager refuses, which costs them nothing: names and addresses are stale for as long as a node is cut off. */
const refusedDelay = 150;
/** Milliseconds: ten thousand nodes that come at once wait for each other. */
const acceptLimit = 60_000;
/** Managers that others know of are asked as well, but no more than so many: what they say may be out of date. */
const mostManagers = 20;

/**
 * Looks for the leader. All managers are asked at once, and none waits for another: one that is gone, or slow, delays nothing.
 * Each is asked again on the same connection until the leader is found, and is given the time that it needs to accept one: a
 * leader that has just begun, to which every node of a swarm connects, would otherwise be busy with connections that are given up.
 */
export class LeaderSearch<T> {
  /** Rejects with the reason of the signal, and `not-found` when the leader does not know this node: it was removed. */
  readonly found: Promise<Found<T>>;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  /** Why each manager that was asked has failed last; undefined for one that has not. */
  readonly #failures = new Map<string, unknown>();
  /** How many managers have a connection, or are about to. */
  #connecting = 0;
  /** The connection that is given away; all others are closed with the search. */
  #leader: NodeConnection | undefined;
  #settle!: { readonly resolve: (found: Found<T>) => void; readonly reject: (reason: unknown) => void };

  constructor(private readonly options: LeaderSearchOptions<T>) {
    this.#signal = linkedSignal(this.#end.signal, options.signal);
    this.found = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      void untilAborted(this.#signal).then(() => reject(this.#signal.reason)); // if it is not found by then
    });
  }

  /** Has this manager asked too, unless it is this node itself. */
  ask({ address, nodeId }: RemoteManager): void {
    if (
      nodeId === this.options.nodeId ||
      this.#signal.aborted ||
      this.#failures.has(address) ||
      this.#failures.size >= mostManagers
    )
      return;
    this.#failures.set(address, undefined);
    this.#askUntilFound(address).catch((error: unknown) => this.#fail(error));
  }

  async #askUntilFound(address: string): Promise<void> {
    for (let attempt = 0; !this.#signal.aborted; attempt++) {
      this.#connecting += 1;
      const connection = await this.#open(address);
      if (connection !== undefined) await this.#askOn(connection, address);
      this.#connecting -= 1;
      await this.#wait(attempt);
    }
  }

  /** Resolves when the connection or the search has ended. */
  async #askOn(connection: NodeConnection, address: string): Promise<void> {
    const close = (): void => {
      if (connection !== this.#leader) connection.close();
    };
    this.#signal.addEventListener('abort', close, { once: true });
    for (let attempt = 0; !connection.closed.aborted && !this.#signal.aborted; attempt++) {
      await this.#begin(address, connection);
      await this.#wait(attempt);
    }
    this.#signal.removeEventListener('abort', close);
  }

  async #open(address: string): Promise<NodeConnection | undefined> {
    const { identity } = this.options;
    try {
      return await NodeConnection.open(address, { identity, signal: this.#signal, acceptLimit });
    } catch (error) {
      this.#failed(address, error);
      return undefined;
    }
  }

  async #begin(address: string, connection: NodeConnection): Promise<void> {
    try {
      const answer = await this.options.begin(connection);
      if (this.#signal.aborted) return;
      this.#leader = connection;
      this.#settle.resolve({ connection, answer });
      this.#end.abort();
    } catch (error) {
      if (kindOf(error) === 'not-found') return this.#fail(error);
      this.#failed(address, error);
      for (const manager of await askForManagers(connection, this.#signal)) this.ask(manager);
    }
  }

  #failed(address: string, error: unknown): void {
    if (this.#signal.aborted) return;
    this.#failures.set(address, error);
    const failures = [...this.#failures];
    if (failures.every(([, each]) => each !== undefined)) this.options.onFailure(inOne(failures));
  }

  #fail(error: unknown): void {
    this.#settle.reject(error);
    this.#end.abort();
  }

  async #wait(attempt: number): Promise<void> {
    const longest = this.#connecting > 0 ? Number.POSITIVE_INFINITY : refusedDelay;
    const wait = Math.min(retryDelays[Math.min(attempt, retryDelays.length - 1)] ?? 0, longest);
    await delay(jittered(wait), undefined, { signal: this.#signal, ref: false }).catch(() => undefined); // the search has ended
  }
}

/** Nodes that lose their leader at the same moment do not stay in step. */
export const jittered = (milliseconds: number): number => milliseconds * (0.75 + Math.random() / 2);

/** Why each manager has failed, with its address. */
function inOne(failures: readonly (readonly [address: string, error: unknown])[]): unknown {
  if (failures.length === 1) return failures[0]?.[1];
  const reasons = failures.map(([address, error]) => {
    const message = messageOf(error);
    return message.includes(address) ? message : `${address}: ${message}`;
  });
  return unavailable(reasons.join('; '));
}

/** None when the manager does not say. */
async function askForManagers(connection: NodeConnection, signal: AbortSignal): Promise<readonly RemoteManager[]> {
  try {
    return (await connection.call(managersPath, null, { signal })) as readonly RemoteManager[];
  } catch {
    return []; // it is one of several, and is asked again
  }
}
