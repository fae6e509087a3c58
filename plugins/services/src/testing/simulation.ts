import { placeTasks } from '../control/place-tasks.js';
import { planService } from '../control/plan-service.js';
import { momentOf } from '../orchestration/moment.js';
import { ServiceDraft } from '../orchestration/service-draft.js';
import type { ServiceRecord } from '../records/service-record.js';
import { isActive, isLive, reservesResources, type TaskRecord } from '../records/task-record.js';
import { compareStates, isFinal, type TaskState } from '../records/task-state.js';
import { findOvercommitted } from '../scheduling/find-overcommitted.js';
import type { SchedulableNode } from '../scheduling/schedulable-node.js';
import type { LogDriver, ServiceSpec } from '../spec/service-spec.js';

/** Nanoseconds. */
export const second = 1_000_000_000;

export const makeNode = (id: string, fields: Partial<SchedulableNode> = {}): SchedulableNode => ({
  ID: id,
  Spec: { Role: 'worker', Availability: 'active' },
  Description: {
    Hostname: `host-${id}`,
    Platform: { Architecture: 'x86_64', OS: 'linux' },
    Resources: { NanoCPUs: 4 * second, MemoryBytes: 8 * 2 ** 30 },
  },
  Status: { State: 'ready' },
  ...fields,
});

export const makeSpec = (fields: ServiceSpec = {}): ServiceSpec => ({
  Name: 'web',
  Mode: { Replicated: { Replicas: 1 } },
  ...fields,
  TaskTemplate: { ContainerSpec: { Image: 'busybox' }, ...fields.TaskTemplate },
});

export const makeService = (spec: ServiceSpec = makeSpec(), fields: Partial<ServiceRecord> = {}): ServiceRecord => ({
  ID: 'service',
  Spec: spec,
  SpecVersion: 1,
  LatestSpecVersion: 1,
  Ports: spec.EndpointSpec?.Ports ?? [],
  ...fields,
});

interface SimulationOptions {
  readonly nodes?: readonly SchedulableNode[];
  readonly historyLimit?: number;
}

/** One service on nodes whose agents do what they are asked to, in a time of its own. */
export class Simulation {
  readonly nodes: Map<string, SchedulableNode>;
  /** What becomes of a task that is started. */
  startsAs: (task: TaskRecord) => TaskState = () => 'running';
  /** What becomes of a task that is prepared. */
  preparesAs: (task: TaskRecord) => TaskState = () => 'ready';
  /** Tasks whose stop takes until it is allowed. */
  holdsStops = false;
  /** The swarm's default. */
  logDriver: LogDriver | undefined;
  #tasks: readonly TaskRecord[] = [];
  #now = 1_700_000_000_000;
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(
    public service: ServiceRecord | undefined,
    private readonly options: SimulationOptions = {},
  ) {
    this.nodes = new Map((options.nodes ?? [makeNode('n1')]).map((node) => [node.ID, node]));
  }

  get tasks(): readonly TaskRecord[] {
    return this.#tasks;
  }

  get live(): readonly TaskRecord[] {
    return this.#tasks.filter(isLive);
  }

  get running(): readonly TaskRecord[] {
    return this.#tasks.filter(({ Status: status }) => status.State === 'running');
  }

  /** One pass of the orchestrator. @returns whether it changed anything. */
  pass(): boolean {
    const { historyLimit = 5 } = this.options;
    const { logDriver } = this;
    const now = momentOf(BigInt(this.#now) * 1_000_000n);
    const overcommitted = new Set([...this.nodes.values()].flatMap((node) => this.#overcommittedOn(node)));
    const draft = new ServiceDraft(this.service, this.#tasks, {
      now,
      nodes: this.nodes,
      overcommitted,
      historyLimit,
      ...(logDriver !== undefined && { logDriver }),
    });
    planService(draft);
    placeTasks([draft], [], { nodes: [...this.nodes.values()], now: this.#now });
    const { deleted, service, written } = draft.changes();
    this.#wakeAt = draft.wakeAt;
    this.#tasks = draft.tasks;
    this.service = service ?? this.service;
    return deleted.length + written.length > 0 || service !== undefined;
  }

  /** The agents take one step. @returns whether any state changed. */
  act(): boolean {
    let acted = false;
    this.#tasks = this.#tasks.map((task) => {
      const state = this.#nextState(task);
      if (state === undefined) return task;
      acted = true;
      return this.#with(task, state);
    });
    return acted;
  }

  /** Orchestrator and agents, until nothing changes without the passing of time. */
  settle(): this {
    for (let turns = 0; turns < 500; turns++) {
      const planned = this.pass();
      if (!this.act() && !planned) return this;
    }
    throw new Error('the service does not settle');
  }

  /** Lets time pass, with every pass that is due meanwhile. */
  advance(milliseconds: number): this {
    const end = this.#now + milliseconds;
    for (;;) {
      this.settle();
      if (this.#wakeAt > end) break;
      this.#now = Math.max(this.#now + 1, this.#wakeAt);
    }
    this.#now = end;
    return this.settle();
  }

  /** Tasks as an earlier leader has left them. */
  find(...tasks: readonly TaskRecord[]): this {
    this.#tasks = [...this.#tasks, ...tasks];
    return this;
  }

  /** Reports a state of a task, as an agent does when a container exits. */
  report(task: TaskRecord, state: TaskState): this {
    this.#tasks = this.#tasks.map((each) => (each.ID === task.ID ? this.#with(each, state) : each));
    return this;
  }

  update(spec: ServiceSpec): this {
    const { Rollout: _rollout, UpdateStatus: _status, ...service } = this.service as ServiceRecord;
    const version = service.LatestSpecVersion + 1;
    this.service = {
      ...service,
      Spec: spec,
      Previous: { Spec: service.Spec, SpecVersion: service.SpecVersion, Ports: service.Ports },
      SpecVersion: version,
      LatestSpecVersion: version,
    };
    return this;
  }

  scale(replicas: number): this {
    const service = this.service as ServiceRecord;
    this.service = { ...service, Spec: { ...service.Spec, Mode: { Replicated: { Replicas: replicas } } } };
    return this;
  }

  #overcommittedOn(node: SchedulableNode): readonly string[] {
    const tasks = this.live.filter((task) => task.NodeID === node.ID && isActive(task) && reservesResources(task));
    return findOvercommitted(node, tasks).map(({ ID: id }) => id);
  }

  #nextState(task: TaskRecord): TaskState | undefined {
    const { DesiredState: desired, Status: status } = task;
    if (isFinal(status.State) || compareStates(status.State, 'assigned') < 0) return undefined;
    const node = this.nodes.get(task.NodeID ?? '');
    if (node === undefined || node.Status.State !== 'ready') return undefined;
    if (compareStates(desired, 'running') > 0) return this.holdsStops ? undefined : 'shutdown';
    const next = desired === 'running' ? this.startsAs(task) : this.preparesAs(task);
    return compareStates(next, status.State) <= 0 ? undefined : next;
  }

  #with(task: TaskRecord, state: TaskState): TaskRecord {
    const timestamp = momentOf(BigInt(this.#now) * 1_000_000n).text;
    return {
      ...task,
      Status: { Timestamp: timestamp, State: state, Message: state },
      ...(state === 'running' && { StartedAt: task.StartedAt ?? timestamp }),
    };
  }
}
