import { setTimeout as delay } from 'node:timers/promises';
import {
  type AnsweredRequest,
  ClusterInfo,
  eachChange,
  NodeConnections,
  type NodeSession,
  nodes,
} from '@gantry/cluster/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable, isRecord, Lifetime } from '@gantry/core/driver';
import { forbidden, internal } from '@gantry/core/errors';
import type { SwarmNetwork, SwarmNetworkRequest, SwarmNetworks } from '@gantry/networks/service';
import { networkKind } from './network-kind.js';
import { StoredNetworks } from './stored-networks.js';

const createPath = '/networks/create';
const removePath = '/networks/remove';
const listPath = '/networks/list';

/** Milliseconds between a broken stream of networks and the next one. */
const retryDelay = 200;

/** How often it is looked for a change in the list, and the milliseconds between. */
const listedAttempts = 100;
const listedInterval = 20;

/** The networks of the swarm on every manager: the leader's own, which it sends to the others. */
@injectable()
export class LeaderNetworks implements SwarmNetworks {
  #session: NodeSession | undefined;
  #followed: readonly SwarmNetwork[] = [];

  constructor(
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(StoredNetworks) private readonly stored: StoredNetworks,
    @inject(ClusterInfo.token) private readonly info: Pick<ClusterInfo, 'headline'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    const { connections, lifetime, stored } = this;
    lifetime.add(
      connections.answer(createPath, async (request) => {
        checkManager(request);
        return stored.create(parseRequest(request.body));
      }),
    );
    lifetime.add(
      connections.answer(removePath, async (request) => {
        checkManager(request);
        await stored.remove(String(request.body));
      }),
    );
    lifetime.add(connections.answerStream(listPath, (request) => this.#send(request)));
    lifetime.add(connections.whileNode((session) => this.#follow(session)));
  }

  get isActive(): boolean {
    return this.info.headline !== 'inactive';
  }

  list(): readonly SwarmNetwork[] {
    return this.#session === undefined ? this.stored.list() : this.#followed;
  }

  async create(request: SwarmNetworkRequest): Promise<string> {
    const session = this.#session;
    if (session === undefined) return this.stored.create(request);
    const id = String(await session.call(createPath, request));
    await this.#untilListed(id, true);
    return id;
  }

  async remove(id: string): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.stored.remove(id);
    await session.call(removePath, id);
    await this.#untilListed(id, false);
  }

  /** Resolves when the leader has sent what it has answered already, or after a while: clients look for it at once. */
  async #untilListed(networkId: string, isListed: boolean): Promise<void> {
    const isSeen = (): boolean => this.#followed.some(({ id }) => id === networkId) === isListed;
    for (let attempt = 0; attempt < listedAttempts && !isSeen(); attempt++) await delay(listedInterval);
  }

  /** To managers all networks, and again after each change; to workers none. */
  async *#send({ nodeId, session: { store }, signal }: AnsweredRequest): AsyncGenerator<readonly SwarmNetwork[]> {
    let sent = '';
    for await (const _change of eachChange({ store, signal }, [networkKind, nodes])) {
      const present = isManager(store, nodeId) ? this.stored.list() : [];
      const content = JSON.stringify(present);
      if (content === sent) continue;
      sent = content;
      yield present;
    }
  }

  async #follow(session: NodeSession): Promise<void> {
    const { signal } = session;
    this.#session = session;
    try {
      while (!signal.aborted) {
        try {
          for await (const networks of session.stream(listPath, null, signal)) {
            this.#followed = networks as readonly SwarmNetwork[];
          }
        } catch {
          // The connection says why, and is made again.
        }
        await delay(retryDelay, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
      }
    } finally {
      this.#followed = [];
      this.#session = undefined;
    }
  }
}

const isManager = (store: ClusterStore, nodeId: string): boolean =>
  store.get(nodes, nodeId)?.value.spec.Role === 'manager';

/** @throws EngineError `forbidden` for a worker, in the words that clients know. */
function checkManager({ nodeId, session }: AnsweredRequest): void {
  if (isManager(session.store, nodeId)) return;
  throw forbidden(
    'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
  );
}

/** @throws EngineError `internal` for what is not such a request. */
function parseRequest(body: unknown): SwarmNetworkRequest {
  if (!isRecord(body) || typeof body.name !== 'string' || !Array.isArray(body.pools)) {
    throw internal('a request for a network cannot be read');
  }
  return body as unknown as SwarmNetworkRequest;
}
