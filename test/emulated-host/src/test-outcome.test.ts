import test from 'ava';
import { parseOutcome } from './test-outcome.js';

test('lines that report a test are parsed, all others are not', (t) => {
  t.deepEqual(parseOutcome('ok 1 - build an image\r'), { title: 'build an image', outcome: 'passed' });
  t.deepEqual(parseOutcome('not ok 12 - pause'), { title: 'pause', outcome: 'failed' });
  t.deepEqual(parseOutcome('ok 3 - quotas # SKIP no second disk'), {
    title: 'quotas',
    outcome: 'skipped',
    reason: 'no second disk',
  });
  for (const line of ['TAP version 13', '1..3', '# ok 1 - no', '  duration_ms: 12'])
    t.is(parseOutcome(line), undefined);
});
