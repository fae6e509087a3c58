import { followBatches, type ManagerSession, nodes } from '@gantry/cluster/service';
import { encryptionKeyKind, networkKind } from '@gantry/cluster-networks/service';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { NetworkNode, SwarmAttachment, SwarmNetwork, SwarmNetworkState } from '@gantry/networks/service';
import type { Attachments } from '../endpoints/attachments.js';
import { nodesOn } from '../endpoints/network-state.js';
import type { NetworkStates } from '../endpoints/network-states.js';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import type { AgentSession, AgentTraffic, AssignedTask, AttachedContainer, TaskFile, TaskReport } from '../service.js';
import { tasksOf } from './assigned-tasks.js';
import type { LocalTraffics } from './local-traffics.js';
import type { ReportStates } from './report-states.js';
import type { TaskCredentials } from './task-credentials.js';
import type { TaskFiles } from './task-files.js';

const watchedKinds = [taskKind, serviceKind, networkKind, encryptionKeyKind, nodes];

/** A session that reads and writes the store of this manager itself. */
export class LocalSession implements AgentSession {
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly traffic: AgentTraffic;

  constructor(
    private readonly session: ManagerSession,
    private readonly credentials: TaskCredentials,
    private readonly reports: ReportStates,
    private readonly files: TaskFiles,
    private readonly attachments: Attachments,
    private readonly states: NetworkStates,
    traffics: LocalTraffics,
  ) {
    this.nodeId = session.nodeId;
    this.signal = AbortSignal.any([session.signal, session.store.closed]);
    this.traffic = traffics.create(session, this.signal);
  }

  get hostname(): string {
    return this.session.store.get(nodes, this.nodeId)?.value.description.Hostname ?? '';
  }

  hasLeft(): boolean {
    return this.session.signal.reason === 'left';
  }

  assignments(): readonly AssignedTask[] {
    return tasksOf(this.session.store, this.nodeId);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  report(reports: readonly TaskReport[]): Promise<void> {
    return this.reports.report(this.session.store, this.nodeId, reports);
  }

  async credentialsOf(task: AssignedTask): Promise<RegistryCredentials | undefined> {
    return this.credentials.of(this.session, task);
  }

  filesOf(task: AssignedTask): Promise<readonly TaskFile[]> {
    return this.files.filesOf(this.session, this.nodeId, task);
  }

  networkState(networkId: string): SwarmNetworkState | undefined {
    return this.states.of(this.session.store, this.nodeId, networkId);
  }

  async nodesOn(networkId: string): Promise<readonly NetworkNode[]> {
    return nodesOn(this.session.store, this.nodeId, networkId);
  }

  /** The manager itself has them all. */
  networks(): readonly SwarmNetwork[] {
    return [];
  }

  attach(request: SwarmAttachment): Promise<string> {
    return this.attachments.attach(this.session, this.nodeId, request);
  }

  detach(networkId: string, containerId: string): Promise<void> {
    return this.attachments.detach(this.session, this.nodeId, networkId, containerId);
  }

  retainAttachments(attached: readonly AttachedContainer[]): Promise<void> {
    const kept = new Set(attached.map(({ containerId, networkId }) => `${networkId} ${containerId}`));
    const isAttached = (networkId: string, containerId: string): boolean => kept.has(`${networkId} ${containerId}`);
    return this.attachments.retain(this.session, this.nodeId, isAttached);
  }

  /** Notifies listeners of changes until the session ends. */
  watch(): Promise<void> {
    return followBatches({ store: this.session.store, signal: this.signal }, watchedKinds, {
      changed: ({ changes }) => {
        if (changes.length > 0) this.#notify();
      },
      lost: () => this.#notify(),
    });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
