import type { ContainerRecord, CreateBody } from '@gantry/containers/service';
import type { BalancedPort } from '@gantry/core/contracts';

type State = ContainerRecord['state'];

const taskIdLabel = 'com.docker.swarm.task.id';

/** The containers of one simulated node: records that change their state, and nothing that runs. */
export class NodeContainers {
  readonly #records = new Map<string, ContainerRecord>();
  #running = 0;
  readonly #exitListeners = new Set<(id: string) => void>();
  readonly #portListeners = new Set<() => void>();
  /** How often a container was created for each task. */
  readonly createdByTask = new Map<string, number>();
  /** The published ports of the swarm, as this node has them in effect. */
  ports: readonly BalancedPort[] = [];

  list(): readonly ContainerRecord[] {
    return [...this.#records.values()];
  }

  find(id: string): ContainerRecord | undefined {
    return this.#records.get(id);
  }

  /** How many run. Asked many times a second, of many nodes. */
  get running(): number {
    return this.#running;
  }

  async create(body: CreateBody, name: string): Promise<string> {
    const taskId = body.Labels?.[taskIdLabel] ?? '';
    this.createdByTask.set(taskId, (this.createdByTask.get(taskId) ?? 0) + 1);
    const id = taskId.padEnd(64, '0');
    const record = { id, name, config: { Labels: body.Labels }, state: { status: 'created' } };
    this.#records.set(id, record as unknown as ContainerRecord);
    return id;
  }

  async start(id: string): Promise<void> {
    this.#change(id, { status: 'running', pid: 1, startedAt: new Date().toISOString() });
  }

  async stop(id: string): Promise<void> {
    this.exit(id, 0);
  }

  async remove(id: string): Promise<void> {
    this.#count(id, -1);
    this.#records.delete(id);
  }

  /** The program of a container ends. */
  exit(id: string, exitCode: number): void {
    const { state } = this.#records.get(id) ?? {};
    if (state?.status !== 'running') return;
    const { startedAt } = state;
    const last = { startedAt, finishedAt: new Date().toISOString(), exitCode, oomKilled: false };
    this.#change(id, { status: 'exited', last });
    for (const listener of this.#exitListeners) listener(id);
  }

  onExit(listener: (id: string) => void): () => void {
    this.#exitListeners.add(listener);
    return () => void this.#exitListeners.delete(listener);
  }

  /** The ports of the swarm come into effect on this node. */
  publish(ports: readonly BalancedPort[]): void {
    this.ports = ports;
    for (const listener of this.#portListeners) listener();
  }

  onPublish(listener: () => void): () => void {
    this.#portListeners.add(listener);
    return () => void this.#portListeners.delete(listener);
  }

  #change(id: string, state: State): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#count(id, -1);
    this.#records.set(id, { ...record, state });
    this.#count(id, 1);
  }

  #count(id: string, by: number): void {
    if (this.#records.get(id)?.state.status === 'running') this.#running += by;
  }
}
