import { ClusterService } from '@gantry/cluster/service';
import { type DriverLifecycle, inject, injectable, Lifetime, type Measurement } from '@gantry/core/driver';
import { serviceKind, taskKind } from './records/record-kinds.js';
import { taskStates } from './records/task-state.js';

type Store = Awaited<ReturnType<ClusterService['manager']>>['store'];

/** Services and tasks, while this engine leads its swarm. */
@injectable()
export class MeasureServices implements DriverLifecycle {
  #store: Store | undefined;

  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(
      this.cluster.whileManager(({ signal, store }) => {
        this.#store = store;
        signal.addEventListener('abort', () => this.#forget(store), { once: true });
      }),
    );
  }

  measure(): readonly Measurement[] {
    if (this.#store === undefined) return [];
    const counts = new Map<string, number>(taskStates.map((state) => [state, 0]));
    for (const { value } of this.#store.list(taskKind)) {
      counts.set(value.Status.State, (counts.get(value.Status.State) ?? 0) + 1);
    }
    return [
      {
        name: 'swarm_services',
        type: 'gauge',
        help: 'Services of the swarm',
        values: [{ value: this.#store.list(serviceKind).length }],
      },
      {
        name: 'swarm_tasks',
        type: 'gauge',
        help: 'Tasks of the swarm, by state',
        values: [...counts].map(([state, value]) => ({ labels: { state }, value })),
      },
    ];
  }

  #forget(store: Store): void {
    if (this.#store === store) this.#store = undefined;
  }
}
