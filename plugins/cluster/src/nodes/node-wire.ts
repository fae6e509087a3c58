import type { ClusterRecord, ClusterStore, RecordKind } from '@gantry/core/contracts';
import { oneOf } from '@gantry/core/driver';
import { type Static, Type } from '@sinclair/typebox';
import type { NodeSpec, nodes } from '../records/node-kind.js';

export type NodeRecord = ClusterRecord<typeof nodes extends RecordKind<infer T> ? T : never>;

/** Keys of filters. */
export const listFilters = ['id', 'label', 'node.label', 'membership', 'name', 'role'] as const;

/** Spec: POST /nodes/(id)/update. */
export const NodeSpecBody = Type.Object({
  Name: Type.Optional(Type.String()),
  Labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  Role: Type.Optional(Type.String()),
  Availability: Type.Optional(Type.String()),
});

const roles = ['worker', 'manager'] as const;
const availabilities = ['active', 'pause', 'drain'] as const;

/** Words in any case. @throws EngineError `invalid-argument` naming the field and the value. */
export function parseNodeSpec({
  Name = '',
  Labels = {},
  Role = '',
  Availability = '',
}: Static<typeof NodeSpecBody>): NodeSpec {
  return {
    ...(Name !== '' && { Name }),
    Labels,
    Role: oneOf('Role', Role.toLowerCase(), roles),
    Availability: oneOf('Availability', Availability.toLowerCase(), availabilities),
  };
}

/** Spec: node record. */
export function toNode({ id, revision, createdAt, updatedAt, value }: NodeRecord, store: ClusterStore) {
  const { spec, description, status, manager } = value;
  return {
    ID: id,
    Version: { Index: revision },
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    Spec: spec,
    Description: description,
    Status: {
      State: status.state,
      ...(status.message !== undefined && { Message: status.message }),
      Addr: status.address,
    },
    ...(manager !== undefined && {
      ManagerStatus: {
        ...(leads(store, manager.memberId) && { Leader: true }),
        Reachability: status.state === 'down' ? 'unreachable' : 'reachable',
        Addr: manager.address,
      },
    }),
  };
}

function leads({ leadership: { current }, memberId: own }: ClusterStore, memberId: string): boolean {
  return current.role === 'leader' ? memberId === own : current.leader === memberId;
}
