import type { PathChange } from '@gantry/core/contracts';
import test from 'ava';
import { withoutOwnPlaces } from './own-places.js';

const kinds = { M: 'modified', A: 'added', D: 'deleted' } as const;
const changes = (...lines: string[]): PathChange[] =>
  lines.map((line) => ({ kind: kinds[line[0] as keyof typeof kinds], path: line.slice(2) }));

const kept = async (...lines: string[]): Promise<string[]> =>
  (await withoutOwnPlaces(changes(...lines), async () => false)).map(({ path }) => path);

test('what a start makes is left out', async (t) => {
  t.deepEqual(await kept('M /etc', 'A /etc/hostname', 'A /etc/hosts', 'A /etc/resolv.conf'), []);
  t.deepEqual(await kept('A /dev', 'A /dev/console', 'A /dev/shm', 'A /proc', 'A /sys'), []);
});

test('directories stay for what else is in them, and for their own sake', async (t) => {
  t.deepEqual(await kept('M /etc', 'A /etc/hosts', 'A /etc/new'), ['/etc', '/etc/new']);
  t.deepEqual(await kept('M /etc', 'M /etc/passwd'), ['/etc', '/etc/passwd']);
  t.deepEqual(await kept('M /etc', 'A /tmp'), ['/etc', '/tmp']);
  t.deepEqual(await kept('A /proc', 'A /proc/own'), ['/proc', '/proc/own']);
});

test('deletions are listed', async (t) => {
  t.deepEqual(await kept('M /etc', 'D /etc/hosts'), ['/etc', '/etc/hosts']);
  t.deepEqual(await kept('D /sys'), ['/sys']);
});

test('a directory whose owner or mode the container changed is listed, although a start made files in it', async (t) => {
  const lines = ['M /bin', 'M /etc', 'A /etc/hosts', 'A /proc', 'M /tmp'];
  const listed = await withoutOwnPlaces(changes(...lines), async () => true);
  t.deepEqual(
    listed.map(({ path }) => path),
    ['/bin', '/etc', '/tmp'],
  );
});
