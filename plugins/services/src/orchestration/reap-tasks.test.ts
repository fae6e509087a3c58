import test from 'ava';
import type { TaskRecord } from '../records/task-record.js';
import { compareStates, isFinal, type TaskState, taskStates } from '../records/task-state.js';
import { makeNode, makeService } from '../testing/simulation.js';
import { momentOf } from './moment.js';
import { reapTasks } from './reap-tasks.js';
import { ServiceDraft } from './service-draft.js';

const now = momentOf(1_700_000_000_000_000_000n);

const task = (ID: string, second: number, desired: TaskState, State: TaskState): TaskRecord => ({
  ID,
  NodeID: 'n1',
  Slot: 1,
  CreatedAt: `2023-01-01T00:00:0${second}Z`,
  ServiceID: 'service',
  ServiceName: 'web',
  ServiceLabels: {},
  Spec: {},
  SpecVersion: 1,
  Ports: [],
  Status: { Timestamp: now.text, State, Message: '' },
  DesiredState: desired,
});

/** The tasks that are left. */
function reap(tasks: readonly TaskRecord[], historyLimit: number, hasService = true): readonly string[] {
  const nodes = new Map([['n1', makeNode('n1')]]);
  const draft = new ServiceDraft(hasService ? makeService() : undefined, tasks, {
    now,
    nodes,
    overcommitted: new Set(),
    historyLimit,
  });
  reapTasks(draft);
  return draft.tasks.map(({ ID: id }) => id);
}

for (const desired of ['running', 'shutdown', 'remove'] as const) {
  for (const state of taskStates) {
    const hasNoContainer = isFinal(state) || compareStates(state, 'assigned') < 0;
    const isDeleted = desired !== 'running' && hasNoContainer;
    test(`past the history limit a task that is ${state} and to be ${desired} is ${isDeleted ? 'deleted' : 'kept'}`, (t) => {
      const left = reap([task('old', 1, desired, state), task('new', 2, 'running', 'running')], 1);
      t.deepEqual(left, isDeleted ? ['new'] : ['old', 'new']);
    });
  }
}

test('within the history limit ended tasks are kept, and removed ones are not', (t) => {
  const tasks = [
    task('ended', 1, 'shutdown', 'failed'),
    task('removed', 2, 'remove', 'shutdown'),
    task('never placed', 3, 'remove', 'pending'),
    task('being removed', 4, 'remove', 'running'),
    task('present', 5, 'running', 'running'),
  ];
  t.deepEqual(reap(tasks, 5), ['ended', 'being removed', 'present']);
});

test('without its service a task is kept as long as its container may exist', (t) => {
  const tasks = taskStates.map((state) => task(state, 1, 'remove', state));
  const active = taskStates.filter((state) => !isFinal(state) && compareStates(state, 'assigned') >= 0);
  t.deepEqual(reap(tasks, -1, false), active);
});

test('each slot has a history of its own, the oldest tasks go first', (t) => {
  const tasks = [1, 2, 3, 4].flatMap((second) =>
    [1, 2].map((slot) => ({ ...task(`${slot}-${second}`, second, 'shutdown', 'failed'), Slot: slot })),
  );
  t.deepEqual(reap(tasks, 2), ['1-3', '2-3', '1-4', '2-4']);
});

test('a limit of zero keeps only the last task of a slot that has finished', (t) => {
  t.deepEqual(reap([task('a', 1, 'shutdown', 'complete'), task('b', 2, 'shutdown', 'complete')], 0), ['b']);
});
