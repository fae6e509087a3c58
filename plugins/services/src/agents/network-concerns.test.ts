import type { ClusterStore, RecordChange } from '@gantry/core/contracts';
import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import { meshSandbox } from '../service.js';
import { concernsOf } from './network-concerns.js';

const store = {} as ClusterStore;

const joined = (more: Partial<TaskRecord>): RecordChange => ({
  kind: 'task',
  id: 't1',
  after: {
    id: 't1',
    value: {
      NodeID: 'node1',
      Status: { State: 'running' },
      Addresses: [{ NetworkID: 'ingress', Addr: '10.0.0.5/16' }],
      ...more,
    },
  } as never,
});

test('a node that joins the mesh of published ports concerns only itself and the nodes that are given meshes', (t) => {
  const mesh = { ContainerID: meshSandbox.id, ContainerName: meshSandbox.name, Aliases: [] };
  const ofMesh = concernsOf(store, [joined({ Attachment: mesh })]);
  t.deepEqual(ofMesh, {
    all: false,
    networks: new Set<string>(),
    meshes: new Set(['ingress']),
    nodes: new Set(['node1']),
  });
  const ofTask = concernsOf(store, [joined({})]);
  t.deepEqual(ofTask.networks, new Set(['ingress']));
  t.deepEqual(ofTask.meshes, new Set<string>());
});
