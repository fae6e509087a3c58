import test from 'ava';
import { hostTable } from './host-table.js';

test('a row for each test, a column for each host', (t) => {
  const table = hostTable([
    { name: 'one', kernel: '6.1', outcomes: [{ title: 'build', outcome: 'passed' }] },
    {
      name: 'two',
      kernel: '6.12.107+deb13-amd64',
      outcomes: [
        { title: 'build', outcome: 'failed' },
        { title: 'quota', outcome: 'skipped', reason: 'no disk' },
        { title: 'ipvlan', outcome: 'skipped', reason: 'refused' },
      ],
    },
  ]);
  const cells = table.split('\n').map((line) => line.split('|').map((text) => text.trim()));
  t.deepEqual(cells[0], ['', 'feature', 'one (6.1)', 'two (6.12)', '']);
  t.deepEqual(cells.slice(2), [
    ['', 'build', 'yes', '**fails**', ''],
    ['', 'quota', 'not run', 'not tried: no disk', ''],
    ['', 'ipvlan', 'not run', 'refused', ''],
  ]);
});

test('cells of an earlier table stay where a host or test did not run', (t) => {
  const run = (name: string, kernel: string, outcome: 'passed' | 'failed', ...titles: readonly string[]) => ({
    name,
    kernel,
    outcomes: titles.map((title) => ({ title, outcome })),
  });
  const earlier = hostTable([run('one', '6.1', 'passed', 'build', 'gone'), run('two', '6.12', 'failed', 'build')]);
  const cellsOf = (table: string) => table.split('\n').map((line) => line.split(/ *\| */).slice(1, -1));
  const now = [run('two', '6.13', 'passed', 'build', 'quota')];
  t.deepEqual(cellsOf(hostTable(now, { earlier })).slice(2), [
    ['build', 'yes', 'yes'],
    ['gone', 'yes', 'not run'],
    ['quota', 'not run', 'yes'],
  ]);
  const [head, , ...rows] = cellsOf(hostTable(now, { earlier, complete: true }));
  t.deepEqual(head, ['feature', 'one (6.1)', 'two (6.13)']);
  t.deepEqual(rows, [
    ['build', 'yes', 'yes'],
    ['quota', 'not run', 'yes'],
  ]);
});
