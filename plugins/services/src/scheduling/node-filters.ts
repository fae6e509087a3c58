import type { TaskRecord } from '../records/task-record.js';
import { reservedKinds } from './generic-resources.js';
import { constraintsOf, meetsConstraints, normalizedArchitecture } from './meets-constraints.js';
import type { NodeUsage } from './node-usage.js';
import { acceptsTasks, type SchedulableNode } from './schedulable-node.js';

/** Decides for one specification of tasks which nodes can run them. */
export interface NodeFilter {
  /** Why it excludes so many nodes, in the words of the reference. */
  explain(count: number): string;
  admits(node: SchedulableNode, usage: NodeUsage): boolean;
}

const nodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`);

/** The drivers of networks that only nodes with them can join, by the networks' ids. */
export type NetworkPlugins = ReadonlyMap<string, string>;

/** In this order: a node is counted at the first filter that excludes it. */
export const nodeFilters = (task: TaskRecord, networks: NetworkPlugins): readonly NodeFilter[] => [
  { explain: (count) => `${nodes(count)} not available for new tasks`, admits: acceptsTasks },
  {
    explain: (count) => `insufficient resources on ${nodes(count)}`,
    admits: (node, usage) => hasRoom(task, node, usage),
  },
  { explain: (count) => `missing plugin on ${nodes(count)}`, admits: (node) => hasPlugins(task, node, networks) },
  constraintFilter(task),
  { explain: (count) => `unsupported platform on ${nodes(count)}`, admits: (node) => hasPlatform(task, node) },
  {
    explain: (count) => `host-mode port already in use on ${nodes(count)}`,
    admits: (_node, usage) => usage.hasFreePorts(task),
  },
  { explain: () => 'max replicas per node limit exceed', admits: (_node, usage) => isBelowLimit(task, usage) },
];

function constraintFilter(task: TaskRecord): NodeFilter {
  const constraints = constraintsOf(task.Spec);
  return {
    explain: (count) => `scheduling constraints not satisfied on ${nodes(count)}`,
    admits: (node) => meetsConstraints(node, constraints),
  };
}

function hasRoom(task: TaskRecord, node: SchedulableNode, usage: NodeUsage): boolean {
  const { MemoryBytes: memory = 0, NanoCPUs: cpus = 0 } = task.Spec.Resources?.Reservations ?? {};
  const { MemoryBytes: allMemory = 0, NanoCPUs: allCpus = 0 } = node.Description?.Resources ?? {};
  if (cpus !== 0 && usage.nanoCpus + cpus > allCpus) return false;
  if (memory !== 0 && usage.memoryBytes + memory > allMemory) return false;
  const kinds = reservedKinds(task.Spec);
  return kinds.size === 0 || usage.freeResources(node).hasRoom(kinds);
}

function hasPlugins(task: TaskRecord, node: SchedulableNode, networks: NetworkPlugins): boolean {
  const plugins = node.Description?.Engine?.Plugins;
  if (plugins === undefined) return true;
  const has = (type: string, name: string): boolean =>
    plugins.some((plugin) => plugin.Type === type && (plugin.Name === name || plugin.Name === `${name}:latest`));
  const drivers = (task.Spec.ContainerSpec?.Mounts ?? [])
    .filter((mount) => (mount.Type ?? 'volume') === 'volume')
    .map((mount) => mount.VolumeOptions?.DriverConfig?.Name ?? '')
    .filter((name) => name !== '' && name !== 'local');
  const networkDrivers = (task.Addresses ?? []).flatMap(({ NetworkID: id }) => networks.get(id) ?? []);
  const log = (task.LogDriver ?? task.Spec.LogDriver)?.Name ?? '';
  const hasDrivers =
    drivers.every((name) => has('Volume', name)) && networkDrivers.every((name) => has('Network', name));
  return hasDrivers && (log === '' || log === 'none' || has('Log', log));
}

function hasPlatform(task: TaskRecord, node: SchedulableNode): boolean {
  const { Platforms: platforms = [] } = task.Spec.Placement ?? {};
  const { Architecture: architecture = '', OS: os = '' } = node.Description?.Platform ?? {};
  return (
    platforms.length === 0 ||
    platforms.some(
      (wanted) =>
        (!wanted.OS || wanted.OS.toLowerCase() === os.toLowerCase()) &&
        (!wanted.Architecture || normalizedArchitecture(wanted.Architecture) === normalizedArchitecture(architecture)),
    )
  );
}

function isBelowLimit(task: TaskRecord, usage: NodeUsage): boolean {
  const { MaxReplicas: limit = 0 } = task.Spec.Placement ?? {};
  return limit === 0 || usage.tasksOf(task.ServiceID) < limit;
}
