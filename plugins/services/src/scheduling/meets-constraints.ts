import type { Constraint } from '../spec/parse-constraint.js';
import type { SchedulableNode } from './schedulable-node.js';

export const meetsConstraints = (node: SchedulableNode, constraints: readonly Constraint[]): boolean =>
  constraints.every((constraint) => meets(node, constraint));

function meets(node: SchedulableNode, { key, operator, value }: Constraint): boolean {
  const actual = attributeOf(node, key);
  const isEqual = key.toLowerCase().startsWith('node.platform.')
    ? normalized(key, actual) === normalized(key, value)
    : actual.toLowerCase() === value.toLowerCase();
  return isEqual === (operator === '==');
}

/** The value of a node for a constraint or a spread preference; empty when it has none. */
export function attributeOf(node: SchedulableNode, key: string): string {
  const { Description: description = {}, Spec: spec, Status: status } = node;
  const lower = key.toLowerCase();
  if (lower.startsWith('node.labels.')) return own(spec.Labels, key.slice('node.labels.'.length));
  if (lower.startsWith('engine.labels.')) return own(description.Engine?.Labels, key.slice('engine.labels.'.length));
  switch (lower) {
    case 'node.id':
      return node.ID;
    case 'node.hostname':
      return description.Hostname ?? '';
    case 'node.ip':
      return status.Addr ?? '';
    case 'node.role':
      return spec.Role;
    case 'node.platform.os':
      return description.Platform?.OS ?? '';
    case 'node.platform.arch':
      return description.Platform?.Architecture ?? '';
    default:
      return '';
  }
}

const own = (labels: Readonly<Record<string, string>> | undefined, name: string): string =>
  labels !== undefined && Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';

const normalized = (key: string, value: string): string =>
  key.toLowerCase().endsWith('.arch') ? normalizedArchitecture(value) : value.toLowerCase();

const architectures: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64', i386: '386', i686: '386' };

/** By the names that images use. */
export const normalizedArchitecture = (name: string): string => architectures[name.toLowerCase()] ?? name.toLowerCase();
