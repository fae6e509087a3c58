import test from 'ava';
import { hostTable } from './host-table.js';

test('a row for each test, a column for each host', (t) => {
  const table = hostTable([
    { name: 'one', kernel: '6.1', outcomes: [{ title: 'build', outcome: 'passed' }] },
    {
      name: 'two',
      kernel: '6.12',
      outcomes: [
        { title: 'build', outcome: 'failed' },
        { title: 'quota', outcome: 'skipped', reason: 'no disk' },
      ],
    },
  ]);
  const cells = table.split('\n').map((line) => line.split('|').map((text) => text.trim()));
  t.deepEqual(cells[0], ['', 'feature', 'one (6.1)', 'two (6.12)', '']);
  t.deepEqual(cells.slice(2), [
    ['', 'build', 'yes', '**fails**', ''],
    ['', 'quota', 'not run', 'absent: no disk', ''],
  ]);
});
