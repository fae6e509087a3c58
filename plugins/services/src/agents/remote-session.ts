import { setTimeout as delay } from 'node:timers/promises';
import type { NodeSession } from '@gantry/cluster/service';
import { type Logger, untilAborted } from '@gantry/core/driver';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { NetworkNode, SwarmAttachment, SwarmNetwork, SwarmNetworkState } from '@gantry/networks/service';
import {
  type AgentSession,
  type AssignedNetwork,
  type AssignedTask,
  type AttachedContainer,
  meshSandbox,
  type TaskFile,
  type TaskReport,
} from '../service.js';
import {
  type AssignmentMessage,
  assignmentsPath,
  credentialsPath,
  filesPath,
  parseAssignments,
  parseFiles,
  reportPath,
} from './assignment-messages.js';
import {
  attachPath,
  detachPath,
  networksAfter,
  networksPath,
  nodesPath,
  parseNodes,
  retainPath,
  takesChanges,
} from './network-messages.js';
import { RemoteTraffic } from './remote-traffic.js';

/** Milliseconds between a broken stream of assignments and the next one. */
const retryDelay = 200;

/** Milliseconds for the leader's next message about networks. */
const stateTimeout = 2_000;

/** A session with the leader on another node. While the connection is broken, the tasks stay as they were assigned last. */
export class RemoteSession implements AgentSession {
  readonly nodeId: string;
  readonly hostname: string;
  readonly signal: AbortSignal;
  #tasks = new Map<string, AssignedTask>();
  readonly traffic: RemoteTraffic;
  readonly #listeners = new Set<() => void>();
  readonly #following: Promise<void>;
  readonly #tasksKnown = new AbortController();
  readonly #networksKnown = new AbortController();

  constructor(
    private readonly session: NodeSession,
    private readonly log: Logger,
  ) {
    this.nodeId = session.nodeId;
    this.hostname = session.hostname;
    this.signal = session.signal;
    this.traffic = new RemoteTraffic(session);
    const followed = [
      this.#follow(assignmentsPath, null, (message) => this.#apply(parseAssignments(message))),
      this.#follow(networksPath, takesChanges, (message) => this.#applyNetworks(message)),
    ];
    this.#following = Promise.all(followed).then(() => undefined);
  }

  /** Resolves when the tasks of the node and its networks are known, or the session has ended. */
  async begun(): Promise<void> {
    const known = [this.#tasksKnown, this.#networksKnown].map(({ signal }) => untilAborted(signal));
    await Promise.race([Promise.all(known), this.#following]);
  }

  /** Resolves when the session has ended. */
  async ended(): Promise<void> {
    await this.#following;
  }

  hasLeft(): boolean {
    return this.signal.reason === 'left';
  }

  assignments(): readonly AssignedTask[] {
    return [...this.#tasks.values()];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async report(reports: readonly TaskReport[]): Promise<void> {
    await this.session.call(reportPath, reports);
  }

  async credentialsOf({ id }: AssignedTask): Promise<RegistryCredentials | undefined> {
    return ((await this.session.call(credentialsPath, id)) as RegistryCredentials | null) ?? undefined;
  }

  async filesOf({ id, spec }: AssignedTask): Promise<readonly TaskFile[]> {
    const { Configs: configs = [], Secrets: secrets = [] } = spec.ContainerSpec ?? {};
    if (configs.length + secrets.length === 0) return [];
    return parseFiles(await this.session.call(filesPath, id));
  }

  networkState(networkId: string): SwarmNetworkState | undefined {
    const known = this.traffic.networks.states.get(networkId);
    const tunnel = known === undefined ? this.#joinable(networkId)?.tunnel : undefined;
    if (tunnel === undefined) return known;
    return { revision: 0, tunnel, peers: [], names: new Map(), services: [] };
  }

  async nodesOn(networkId: string): Promise<readonly NetworkNode[]> {
    return parseNodes(await this.session.call(nodesPath, networkId));
  }

  networks(): readonly SwarmNetwork[] {
    const networks = new Map<string, SwarmNetwork>();
    const { attachable, ingress } = this.traffic.networks;
    for (const { network } of attachable) networks.set(network.id, network);
    for (const task of this.#tasks.values()) for (const { network } of task.networks) networks.set(network.id, network);
    if (ingress !== undefined) networks.set(ingress.network.id, ingress.network);
    return [...networks.values()];
  }

  /** The address of a task came with it. */
  async attach(request: SwarmAttachment): Promise<string> {
    const task = this.assignments().find(({ name }) => name === request.containerName);
    const own = task?.networks.find(({ network }) => network.id === request.networkId)?.address;
    return own ?? this.#attachContainer(request);
  }

  /**
   * Resolves once the names and peers of the network are known here, so that a container finds them when it starts. A mesh
   * looks up no names, and is part of what the leader waits for before it sends them.
   */
  async #attachContainer(request: SwarmAttachment): Promise<string> {
    const address = String(await this.session.call(attachPath, request));
    if (request.containerId === meshSandbox.id) return address;
    const own = address.split('/', 1)[0];
    const isKnown = (): boolean =>
      this.traffic.networks.states.get(request.networkId)?.peers.some((peer) => peer.address === own) === true;
    await this.#until(isKnown, stateTimeout);
    return address;
  }

  async detach(networkId: string, containerId: string): Promise<void> {
    await this.session.call(detachPath, [{ networkId, containerId }]);
  }

  async retainAttachments(attached: readonly AttachedContainer[]): Promise<void> {
    await this.session.call(retainPath, attached);
  }

  async #follow(path: string, body: unknown, apply: (message: unknown) => void): Promise<void> {
    while (!this.signal.aborted) {
      try {
        for await (const message of this.session.stream(path, body, this.signal)) apply(message);
      } catch (err) {
        if (this.signal.aborted) return;
        this.log.warn({ event: 'agent.stream-interrupted', path, err }, 'a stream from the leader broke; resuming');
      }
      await delay(retryDelay, undefined, { signal: this.signal, ref: false }).catch(() => undefined); // aborted: it ends
    }
  }

  #apply({ isComplete, removed, tasks }: AssignmentMessage): void {
    if (isComplete) this.#tasks = new Map();
    for (const task of tasks) this.#tasks.set(task.id, task);
    for (const id of removed) this.#tasks.delete(id);
    this.#tasksKnown.abort();
    this.#notify();
  }

  #applyNetworks(message: unknown): void {
    this.traffic.apply(networksAfter(this.traffic.networks, message));
    this.#networksKnown.abort();
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when the condition holds, or the time is over. */
  async #until(condition: () => boolean, milliseconds: number): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        release();
        resolve();
      };
      const release = this.onChange(() => {
        if (condition()) end();
      });
      const timer = setTimeout(end, milliseconds);
    });
  }

  #joinable(networkId: string): Pick<AssignedNetwork, 'network' | 'tunnel'> | undefined {
    const attachable = this.traffic.networks.attachable.find(({ network }) => network.id === networkId);
    if (attachable !== undefined) return attachable;
    for (const { networks } of this.#tasks.values()) {
      const found = networks.find(({ network }) => network.id === networkId);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
