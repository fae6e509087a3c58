import type { GenericResource } from '@gantry/cluster/service';
import type { TaskRecord } from '../records/task-record.js';
import { explainFilters } from './explain-filters.js';
import { reservedKinds } from './generic-resources.js';
import { Heap } from './heap.js';
import { attributeOf } from './meets-constraints.js';
import { type NetworkPlugins, type NodeFilter, nodeFilters } from './node-filters.js';
import { NodeUsage } from './node-usage.js';
import type { SchedulableNode } from './schedulable-node.js';

/** Where a task goes, or why it stays pending. */
export type Placement =
  | { readonly nodeId: string; readonly genericResources: readonly GenericResource[] }
  | { readonly reason: string };

/** From so many recent failures on a node, others are preferred. */
const failureLimit = 5;

/**
 * Places tasks one after the other: each on the node with the fewest tasks of its service, and of those on the one with
 * the fewest tasks; spread preferences come before both. `usages` is brought up to date.
 */
export function scheduleTasks(
  tasks: readonly TaskRecord[],
  nodes: readonly SchedulableNode[],
  usages: Map<string, NodeUsage>,
  networkPlugins: NetworkPlugins = new Map(),
): Map<string, Placement> {
  const placements = new Map<string, Placement>();
  // Tasks that can only be on one node come first, so that the others find what is left.
  const [bound, free] = [tasks.filter(isBound), tasks.filter((task) => !isBound(task))];
  for (const group of [...groupBySpecification(bound), ...groupBySpecification(free)]) {
    const [first] = group;
    if (first === undefined) continue;
    const candidates = new Candidates(first, nodes, usages, networkPlugins);
    for (const task of group) placements.set(task.ID, candidates.place(task));
  }
  return placements;
}

const isBound = ({ NodeID: nodeId }: TaskRecord): boolean => nodeId !== undefined;

function groupBySpecification(tasks: readonly TaskRecord[]): Iterable<TaskRecord[]> {
  const groups = new Map<string, TaskRecord[]>();
  for (const task of tasks) {
    const key = `${task.ServiceID} ${task.SpecVersion}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [task]);
    else group.push(task);
  }
  return groups.values();
}

interface Candidate {
  readonly node: SchedulableNode;
  /** Of several that are equally good the first is taken. */
  readonly index: number;
  readonly usage: NodeUsage;
  /** One for each spread preference: the node's branch at that level. */
  readonly branches: readonly string[];
}

/** The nodes for tasks of one specification. */
class Candidates {
  readonly #filters: readonly NodeFilter[];
  readonly #candidates: readonly Candidate[];
  /** Tasks of the service in each branch. */
  readonly #branchTasks = new Map<string, number>();
  /** Those that admit tasks, the best first; undefined with spread preferences, where each task changes the order of many. */
  #ranked: Heap<Candidate> | undefined;
  /** Why there is no node for any of the tasks. */
  #noNode: string | undefined;

  constructor(
    private readonly task: TaskRecord,
    nodes: readonly SchedulableNode[],
    private readonly usages: Map<string, NodeUsage>,
    networkPlugins: NetworkPlugins,
  ) {
    this.#filters = nodeFilters(task, networkPlugins);
    const descriptors = (task.Spec.Placement?.Preferences ?? []).map(
      ({ Spread: spread }) => spread?.SpreadDescriptor ?? '',
    );
    this.#candidates = nodes.map((node, index) => ({
      node,
      index,
      usage: this.#usageOf(node),
      branches: branchesOf(node, descriptors),
    }));
    for (const { branches, usage } of this.#candidates) this.#count(branches, usage.tasksOf(task.ServiceID));
  }

  place(task: TaskRecord): Placement {
    const hasPreferences = (task.Spec.Placement?.Preferences ?? []).length > 0;
    const best = task.NodeID !== undefined || hasPreferences ? this.#scan(task) : this.#bestRanked();
    if (best === undefined) return { reason: this.#reason(task) };
    const kinds = reservedKinds(task.Spec);
    const genericResources = kinds.size === 0 ? [] : best.usage.freeResources(best.node).select(kinds);
    best.usage.place({ ...task, GenericResources: genericResources });
    this.#count(best.branches, 1);
    if (best === this.#ranked?.first) this.#ranked.demoteFirst();
    return { nodeId: best.node.ID, genericResources };
  }

  /** Looks at every node. */
  #scan(task: TaskRecord): Candidate | undefined {
    let best: Candidate | undefined;
    for (const candidate of this.#candidates) {
      if (task.NodeID !== undefined && candidate.node.ID !== task.NodeID) continue;
      if (this.#failing(candidate) !== undefined) continue;
      if (best === undefined || this.#compare(task, candidate, best) < 0) best = candidate;
    }
    return best;
  }

  /** A node admits fewer tasks the more it has: one that admits none of these any more is not looked at again. */
  #bestRanked(): Candidate | undefined {
    this.#ranked ??= new Heap(
      this.#candidates.filter((candidate) => this.#failing(candidate) === undefined),
      (one, other) => this.#compare(this.task, one, other) || one.index - other.index,
    );
    while (this.#ranked.first !== undefined && this.#failing(this.#ranked.first) !== undefined) {
      this.#ranked.removeFirst();
    }
    return this.#ranked.first;
  }

  #failing({ node, usage }: Candidate): NodeFilter | undefined {
    return this.#filters.find((filter) => !filter.admits(node, usage));
  }

  #reason(task: TaskRecord): string {
    if (task.NodeID !== undefined) return reasonOf(task, explainFilters(this.#excluded(task)));
    // For one task as for all that follow: none of them changes what a node has.
    this.#noNode ??= reasonOf(task, explainFilters(this.#excluded(task)));
    return this.#noNode;
  }

  /** How many nodes each filter excludes. */
  #excluded(task: TaskRecord): Map<NodeFilter, number> {
    const excluded = new Map<NodeFilter, number>();
    for (const candidate of this.#candidates) {
      if (task.NodeID !== undefined && candidate.node.ID !== task.NodeID) continue;
      const failing = this.#failing(candidate);
      if (failing !== undefined) excluded.set(failing, (excluded.get(failing) ?? 0) + 1);
    }
    return excluded;
  }

  #compare(task: TaskRecord, left: Candidate, right: Candidate): number {
    for (const [level, branch] of left.branches.entries()) {
      const other = right.branches[level] ?? '';
      const difference = (this.#branchTasks.get(branch) ?? 0) - (this.#branchTasks.get(other) ?? 0);
      if (branch !== other && difference !== 0) return difference;
    }
    const failures = failuresOf(task, left) - failuresOf(task, right);
    if (failures !== 0) return failures;
    const own = left.usage.tasksOf(task.ServiceID) - right.usage.tasksOf(task.ServiceID);
    return own === 0 ? left.usage.tasks - right.usage.tasks : own;
  }

  #count(branches: readonly string[], tasks: number): void {
    for (const branch of branches) this.#branchTasks.set(branch, (this.#branchTasks.get(branch) ?? 0) + tasks);
  }

  #usageOf(node: SchedulableNode): NodeUsage {
    const usage = this.usages.get(node.ID) ?? new NodeUsage();
    this.usages.set(node.ID, usage);
    return usage;
  }
}

/** Of global services, whose node is given, the reference says it without the general part. */
function reasonOf(task: TaskRecord, explanation: string): string {
  if (task.NodeID !== undefined && explanation !== '') return explanation;
  return explanation === '' ? 'no suitable node' : `no suitable node (${explanation})`;
}

function failuresOf(task: TaskRecord, { usage }: Candidate): number {
  const failures = usage.failuresOf(task);
  return failures >= failureLimit ? failures : 0;
}

function branchesOf(node: SchedulableNode, descriptors: readonly string[]): readonly string[] {
  const branches: string[] = [];
  for (const descriptor of descriptors) {
    branches.push(`${branches.at(-1) ?? ''}/${encodeURIComponent(attributeOf(node, descriptor))}`);
  }
  return branches;
}
