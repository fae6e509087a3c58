import { silentLogger } from '@gantry/core/driver';
import test from 'ava';
import { Space } from './space.js';

const megabyte = 1024 * 1024;

/** An etcd that notes what it is asked for. */
function fake(dbSize: number, dbSizeInUse: number, compact: () => Promise<unknown> = async () => undefined) {
  const calls: string[] = [];
  const client = {
    status: async () => ({ dbSize: String(dbSize), dbSizeInUse: String(dbSizeInUse) }),
    compact: (revision: number) => {
      calls.push(`compact ${revision}`);
      return compact();
    },
    defragment: async () => void calls.push('defragment'),
    disarmSpaceAlarm: async () => void calls.push('disarm'),
  } as unknown as ConstructorParameters<typeof Space>[0];
  const mirror = { revision: 5 };
  return { calls, mirror, space: new Space(client, mirror, silentLogger) };
}

test('what is older than an interval is compacted', async (t) => {
  const { calls, mirror, space } = fake(megabyte, megabyte);
  await space.maintain();
  mirror.revision = 9;
  await space.maintain();
  await space.maintain();
  t.deepEqual(calls, ['compact 5', 'compact 9']);
});

test('a file of which most is unused is defragmented', async (t) => {
  const { calls, space } = fake(100 * megabyte, 10 * megabyte);
  await space.maintain();
  t.deepEqual(calls, ['defragment']);
});

test('that a revision was compacted before is no failure', async (t) => {
  const { calls, space } = fake(megabyte, megabyte, () => Promise.reject(new Error('revision has been compacted')));
  await space.reclaim();
  t.deepEqual(calls, ['compact 5', 'defragment', 'disarm']);
});

test('concurrent calls reclaim space once, and later ones without a transaction since then only disarm the alarm', async (t) => {
  const { calls, mirror, space } = fake(megabyte, megabyte);
  const once = ['compact 5', 'defragment', 'disarm'];
  await Promise.all([space.reclaim(), space.reclaim()]);
  t.deepEqual(calls, once);
  await space.reclaim();
  t.deepEqual(calls, [...once, 'disarm']);
  mirror.revision = 6;
  await space.reclaim();
  t.deepEqual(calls, [...once, 'disarm', 'compact 6', 'defragment', 'disarm']);
});
