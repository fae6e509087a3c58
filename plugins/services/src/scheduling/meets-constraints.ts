import { BlockList, isIP } from 'node:net';
import { type Constraint, parseConstraint } from '../spec/parse-constraint.js';
import type { TaskSpec } from '../spec/service-spec.js';
import type { SchedulableNode } from './schedulable-node.js';

export const constraintsOf = ({ Placement: placement }: TaskSpec = {}): readonly Constraint[] =>
  (placement?.Constraints ?? []).map(parseConstraint);

export const meetsConstraints = (node: SchedulableNode, constraints: readonly Constraint[]): boolean =>
  constraints.every((constraint) => meets(node, constraint));

function meets(node: SchedulableNode, { key, operator, value }: Constraint): boolean {
  return isEqual(key.toLowerCase(), attributeOf(node, key), value) === (operator === '==');
}

function isEqual(key: string, actual: string, value: string): boolean {
  if (key.startsWith('node.platform.')) return normalized(key, actual) === normalized(key, value);
  if (key === 'node.ip') return isInSubnet(actual, value);
  return actual.toLowerCase() === value.toLowerCase();
}

/** @param subnet an address, or a subnet such as 10.1.0.0/16. */
function isInSubnet(address: string, subnet: string): boolean {
  const [network = '', prefix] = subnet.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(address) !== family) return false;
  const list = new BlockList();
  const type = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(network, prefix === undefined ? widths[type] : Number(prefix), type);
  return list.check(address, type);
}

const widths = { ipv4: 32, ipv6: 128 } as const;

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
