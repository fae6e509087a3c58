import type { RecordKind } from '@gantry/core/contracts';
import type { GenericResource } from './generic-resources.js';

/** Spec: the `Spec` of a node, as the API has it. */
export interface NodeSpec {
  readonly Name?: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Role: 'worker' | 'manager';
  readonly Availability: 'active' | 'pause' | 'drain';
}

/** Spec: the `Description` of a node: what its engine says of itself. */
export interface NodeDescription {
  readonly Hostname: string;
  readonly Platform: { readonly Architecture: string; readonly OS: string };
  readonly Resources: {
    readonly NanoCPUs: number;
    readonly MemoryBytes: number;
    readonly GenericResources?: readonly GenericResource[];
  };
  readonly Engine: {
    readonly EngineVersion: string;
    readonly Labels: Readonly<Record<string, string>>;
    readonly Plugins: readonly { readonly Type: string; readonly Name: string }[];
  };
  readonly TLSInfo?: {
    readonly TrustRoot: string;
    readonly CertIssuerSubject: string;
    readonly CertIssuerPublicKey: string;
  };
}

/** A node's own state: what it does is `NodeSpec.Availability`. */
export type NodeState = 'unknown' | 'down' | 'ready' | 'disconnected';

export interface NodeStatus {
  readonly state: NodeState;
  readonly message?: string;
  /** Where the node is reached, without a port. */
  readonly address: string;
}

export interface Node {
  readonly spec: NodeSpec;
  readonly description: NodeDescription;
  readonly status: NodeStatus;
  /** Address of its tunnels to other nodes, without a port. Undefined: that of its status. */
  readonly dataPath?: string;
  /** Its tasks answer clients of published ports through the mesh that those asked: they may see the clients' addresses. */
  readonly keepsClientAddresses?: boolean;
  /** Of a manager: its member of the store, and where other managers reach it (`address:port`). */
  readonly manager?: { readonly memberId: string; readonly address: string };
}

/** A node that was demoted is a manager until its member of the store is removed. */
export const presentRole = ({ manager, spec }: Node): NodeSpec['Role'] =>
  manager === undefined ? spec.Role : 'manager';

export const nodes: RecordKind<Node> = {
  name: 'node',
  version: 1,
  parse(value) {
    const node = value as Node;
    if (typeof node.spec?.Role !== 'string') throw new Error('the node has no role');
    return node;
  },
  indexes: { manager: { keysOf: ({ manager }) => (manager === undefined ? [] : ['yes']) } },
};
