import test from 'ava';
import type { ContainerRecord, ContainerState } from '../record.js';
import { missingEvents } from './missing-events.js';

const run = {
  startedAt: '2026-01-01T00:00:00.500000000Z',
  finishedAt: '2026-01-01T00:01:02.400000000Z',
  exitCode: 3,
  oomKilled: false,
};
const running: ContainerState = { status: 'running', pid: 1, startedAt: '' };
const exited: ContainerState = { status: 'exited', last: run };

const missing = (state: ContainerState, published: readonly string[], coversCreation = true): readonly string[] =>
  missingEvents(
    { state, everStarted: state.status !== 'created' } as ContainerRecord,
    published.map((action) => ({ action })),
    coversCreation,
  ).map(({ action, attributes }) => [action, ...Object.values(attributes ?? {})].join(' '));

test('no event is published twice', (t) => {
  t.deepEqual(missing({ status: 'created' }, ['create']), []);
  t.deepEqual(missing(running, ['create', 'start']), []);
  t.deepEqual(missing(running, ['start', 'die', 'start']), []);
  t.deepEqual(missing(exited, ['create', 'start', 'die']), []);
});

test('events that a crash prevented are published in their order', (t) => {
  t.deepEqual(missing({ status: 'created' }, []), ['create']);
  t.deepEqual(missing(running, ['create']), ['start']);
  t.deepEqual(missing(running, ['create', 'start', 'die']), ['start']);
  t.deepEqual(missing(exited, ['create', 'start']), ['die 3 61']);
  t.deepEqual(missing(exited, ['create']), ['start', 'die 3 61']);
});

test('no events are invented for a container whose events have expired', (t) => {
  t.deepEqual(missing(running, [], false), []);
  t.deepEqual(missing(exited, [], false), []);
  t.deepEqual(missing(exited, ['start'], false), ['die 3 61']);
});
