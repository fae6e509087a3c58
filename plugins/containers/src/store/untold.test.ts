import test from 'ava';
import type { ContainerRecord, ContainerState } from '../record.js';
import { untoldOf } from './untold.js';

const run = { startedAt: '', finishedAt: '', exitCode: 3, oomKilled: false };
const running: ContainerState = { status: 'running', pid: 1, startedAt: '' };
const exited: ContainerState = { status: 'exited', last: run };

const untold = (state: ContainerState, told: readonly string[], isKnown = true): readonly string[] =>
  untoldOf(
    { state, everStarted: state.status !== 'created' } as ContainerRecord,
    told.map((action) => ({ action })),
    isKnown,
  ).map(({ action, attributes }) => [action, ...Object.values(attributes ?? {})].join(' '));

test('nothing is told twice', (t) => {
  t.deepEqual(untold({ status: 'created' }, ['create']), []);
  t.deepEqual(untold(running, ['create', 'start']), []);
  t.deepEqual(untold(running, ['start', 'die', 'start']), []);
  t.deepEqual(untold(exited, ['create', 'start', 'die']), []);
});

test('what a crash kept back is told in its order', (t) => {
  t.deepEqual(untold({ status: 'created' }, []), ['create']);
  t.deepEqual(untold(running, ['create']), ['start']);
  t.deepEqual(untold(running, ['create', 'start', 'die']), ['start']);
  t.deepEqual(untold(exited, ['create', 'start']), ['die 3']);
  t.deepEqual(untold(exited, ['create']), ['start', 'die 3']);
});

test('nothing is made up of a container whose events are forgotten', (t) => {
  t.deepEqual(untold(running, [], false), []);
  t.deepEqual(untold(exited, [], false), []);
  t.deepEqual(untold(exited, ['start'], false), ['die 3']);
});
