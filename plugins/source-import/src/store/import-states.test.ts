import test from 'ava';
import { isWorking, mayFollow, statusText } from './import-states.js';
import type { ImportState, ImportStatus } from './records.js';

const statuses: readonly ImportStatus[] = [
  ...(['detecting', 'importing', 'mapping', 'pushing', 'complete', 'error', 'auth_failed'] as const),
  ...(['detection_needs_auth', 'detection_found_nothing', 'detection_found_multiple'] as const),
];

test('the transitions are those of the specification, and every state can restart', (t) => {
  const moves = statuses.flatMap((before) =>
    statuses.filter((after) => mayFollow(before, after) && after !== 'detecting').map((after) => `${before} ${after}`),
  );
  t.deepEqual(moves, [
    'detecting importing',
    'detecting error',
    'detecting detection_needs_auth',
    'detecting detection_found_nothing',
    'detecting detection_found_multiple',
    'importing mapping',
    'importing error',
    'importing auth_failed',
    'importing detection_found_multiple',
    'mapping pushing',
    'mapping error',
    'pushing mapping',
    'pushing complete',
    'pushing error',
    'complete mapping',
    'error mapping',
  ]);
  t.true(statuses.every((status) => mayFollow(status, 'detecting')));
  t.deepEqual(statuses.filter(isWorking), ['detecting', 'importing', 'mapping', 'pushing']);
});

test('every status has a text', (t) => {
  const texts = statuses.map((status) => statusText({ status } as ImportState, false));
  t.is(new Set(texts).size, statuses.length);
  t.regex(statusText({ status: 'importing' }, true), /Waiting/);
});
