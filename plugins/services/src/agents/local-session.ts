import { type ClusterService, type ManagerSession, nodes } from '@gantry/cluster/service';
import { WatchCompacted } from '@gantry/core/contracts';
import { decodeRegistryAuth, type RegistryCredentials } from '@gantry/engine-api/service';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { type TaskRecord, taskName } from '../records/task-record.js';
import { compareStates } from '../records/task-state.js';
import type { AgentSession, AssignedTask, PublishedService, TaskFile, TaskReport } from '../service.js';
import { publishedServices } from './published-services.js';
import type { ReportStates } from './report-states.js';
import type { TaskFiles } from './task-files.js';

/** A session that reads and writes the store of this manager itself. */
export class LocalSession implements AgentSession {
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly session: ManagerSession,
    private readonly cluster: ClusterService,
    private readonly reports: ReportStates,
    private readonly files: TaskFiles,
  ) {
    this.nodeId = session.nodeId;
    this.signal = AbortSignal.any([session.signal, session.store.closed]);
  }

  get hostname(): string {
    return this.session.store.get(nodes, this.nodeId)?.value.description.Hostname ?? '';
  }

  hasLeft(): boolean {
    return this.session.signal.reason === 'left';
  }

  assignments(): readonly AssignedTask[] {
    return this.#tasks().map(toAssigned);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  report(reports: readonly TaskReport[]): Promise<void> {
    return this.reports.report(this.session.store, this.nodeId, reports);
  }

  credentialsOf({ serviceId }: AssignedTask): RegistryCredentials | undefined {
    const sealed = this.session.store.get(serviceKind, serviceId)?.value.Credentials;
    return sealed === undefined ? undefined : decodeRegistryAuth(this.cluster.unseal(sealed).toString());
  }

  filesOf(task: AssignedTask): Promise<readonly TaskFile[]> {
    return this.files.filesOf(this.session, task);
  }

  publishedServices(): readonly PublishedService[] {
    return publishedServices(this.#tasks());
  }

  /** Notifies listeners of changes until the session ends. */
  async watch(): Promise<void> {
    const { store } = this.session;
    while (!this.signal.aborted) {
      try {
        for await (const { changes } of store.watch({ kinds: [taskKind], signal: this.signal })) {
          if (changes.length > 0) this.#notify();
        }
      } catch (error) {
        if (!WatchCompacted.is(error)) throw error;
        this.#notify();
      }
    }
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #tasks(): readonly TaskRecord[] {
    return this.session.store
      .select(taskKind, 'node', this.nodeId)
      .map(({ value }) => value)
      .filter((task) => compareStates(task.Status.State, 'assigned') >= 0);
  }
}

const toAssigned = (task: TaskRecord): AssignedTask => ({
  id: task.ID,
  name: taskName(task),
  slot: task.Slot,
  serviceId: task.ServiceID,
  serviceName: task.ServiceName,
  serviceLabels: task.ServiceLabels,
  spec: task.Spec,
  ports: task.Ports,
  desiredState: task.DesiredState,
  status: task.Status,
});
