import type { PathChange } from '@gantry/core/contracts';
import test from 'ava';
import { withoutOwnPlaces } from './own-places.js';

const kinds = { M: 'modified', A: 'added', D: 'deleted' } as const;
const changes = (...lines: string[]): PathChange[] =>
  lines.map((line) => ({ kind: kinds[line[0] as keyof typeof kinds], path: line.slice(2) }));

const kept = (...lines: string[]): string[] => withoutOwnPlaces(changes(...lines)).map(({ path }) => path);

test('what a start makes is left out', (t) => {
  t.deepEqual(kept('A /.dockerenv', 'M /etc', 'A /etc/hostname', 'A /etc/hosts', 'A /etc/resolv.conf'), []);
  t.deepEqual(kept('A /dev', 'A /dev/console', 'A /dev/shm', 'A /proc', 'A /sys'), []);
});

test('directories stay for what else is in them, and for their own sake', (t) => {
  t.deepEqual(kept('M /etc', 'A /etc/hosts', 'A /etc/new'), ['/etc', '/etc/new']);
  t.deepEqual(kept('M /etc', 'M /etc/passwd'), ['/etc', '/etc/passwd']);
  t.deepEqual(kept('M /etc', 'A /tmp'), ['/etc', '/tmp']);
  t.deepEqual(kept('A /proc', 'A /proc/own'), ['/proc', '/proc/own']);
});

test('deletions are listed', (t) => {
  t.deepEqual(kept('M /etc', 'D /etc/hosts'), ['/etc', '/etc/hosts']);
  t.deepEqual(kept('D /sys'), ['/sys']);
});
