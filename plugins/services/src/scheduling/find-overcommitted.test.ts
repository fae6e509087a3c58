import type { GenericResource } from '@gantry/cluster/service';
import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import { reservesResources } from '../records/task-record.js';
import { makeNode, second } from '../testing/simulation.js';
import { findOvercommitted } from './find-overcommitted.js';

const gibibyte = 2 ** 30;

const task = (
  ID: string,
  minute: number,
  reserved: object,
  GenericResources?: readonly GenericResource[],
): TaskRecord =>
  ({
    ID,
    CreatedAt: `2026-01-01T00:0${minute}:00Z`,
    Spec: { Resources: { Reservations: reserved } },
    Status: { Timestamp: '', State: 'running', Message: '' },
    DesiredState: 'running',
    ...(GenericResources !== undefined && { GenericResources }),
  }) as unknown as TaskRecord;

const idsOf = (tasks: readonly TaskRecord[]) => tasks.map(({ ID: id }) => id);

test('of tasks that do not fit any more the newest have to go, of memory as of processors', (t) => {
  const node = makeNode('n', { Description: { Resources: { MemoryBytes: 4 * gibibyte, NanoCPUs: 2 * second } } });
  const byMemory = [3, 1, 2].map((minute) => task(`m${minute}`, minute, { MemoryBytes: 2 * gibibyte }));
  t.deepEqual(idsOf(findOvercommitted(node, byMemory)), ['m3']);
  const byProcessors = [3, 1, 2].map((minute) => task(`c${minute}`, minute, { NanoCPUs: second }));
  t.deepEqual(idsOf(findOvercommitted(node, byProcessors)), ['c3']);
});

test('a smaller task stays where a larger one before it has to go', (t) => {
  const node = makeNode('n', { Description: { Resources: { MemoryBytes: 2 * gibibyte } } });
  const tasks = [task('large', 1, { MemoryBytes: 3 * gibibyte }), task('small', 2, { MemoryBytes: gibibyte })];
  t.deepEqual(idsOf(findOvercommitted(node, tasks)), ['large']);
});

test('a node that has not described itself keeps its tasks', (t) => {
  const tasks = [task('t', 1, { MemoryBytes: gibibyte })];
  t.deepEqual(findOvercommitted(makeNode('n', { Description: undefined }), tasks), []);
});

test('a task goes whose generic resource the node does not offer any more, by name as by count', (t) => {
  const named = (Value: string): GenericResource => ({ NamedResourceSpec: { Kind: 'gpu', Value } });
  const counted = (Value: number): GenericResource => ({ DiscreteResourceSpec: { Kind: 'slot', Value } });
  const offering = (...GenericResources: readonly GenericResource[]) =>
    makeNode('n', { Description: { Resources: { GenericResources } } });
  const tasks = [task('named', 1, {}, [named('one')]), task('counted', 2, {}, [counted(2)])];
  t.deepEqual(findOvercommitted(offering(named('one'), counted(2)), tasks), []);
  t.deepEqual(idsOf(findOvercommitted(offering(named('two'), counted(2)), tasks)), ['named']);
  t.deepEqual(idsOf(findOvercommitted(offering(named('one'), counted(1)), tasks)), ['counted']);
  t.true(tasks.every(reservesResources));
});
