import { silentLogger } from '@gantry/core/driver';
import test from 'ava';
import { Space } from './space.js';

const megabyte = 1024 * 1024;

/** An etcd that notes what it is asked for. */
function fake(dbSize: number, dbSizeInUse: number, compact: () => Promise<unknown> = async () => undefined) {
  const calls: string[] = [];
  const size = { bytes: dbSize, reads: 0 };
  const client = {
    status: async () => {
      size.reads++;
      return { dbSize: String(size.bytes), dbSizeInUse: String(dbSizeInUse) };
    },
    compact: (revision: number) => {
      calls.push(`compact ${revision}`);
      return compact();
    },
    defragment: async () => void calls.push('defragment'),
    disarmSpaceAlarm: async () => void calls.push('disarm'),
  } as unknown as ConstructorParameters<typeof Space>[0];
  const mirror = { revision: 5 };
  return { calls, mirror, size, space: new Space(client, mirror, 100 * megabyte, silentLogger) };
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

test('at the quota records are changed and removed, and created only when a removal has made room', async (t) => {
  const { calls, mirror, size, space } = fake(99 * megabyte, 99 * megabyte);
  const create = { creates: true, removes: false, bytes: 2 * megabyte };
  await t.throwsAsync(space.admit(create), { message: /has reached its quota/ });
  const once = ['compact 5', 'defragment', 'disarm'];
  t.deepEqual(calls, once);
  mirror.revision = 6;
  await space.admit({ creates: false, removes: false, bytes: megabyte });
  await t.throwsAsync(space.admit(create), { message: /has reached its quota/ });
  t.deepEqual(calls, once, 'there was nothing more to free');
  await space.admit({ creates: false, removes: true, bytes: 0 });
  size.bytes = 90 * megabyte;
  await space.admit(create);
  t.deepEqual(calls, once, 'there was room already');
});

test('what was changed makes room when it is much, also without a removal', async (t) => {
  const { calls, mirror, space } = fake(100 * megabyte, 100 * megabyte);
  const create = { creates: true, removes: false, bytes: 1 };
  await t.throwsAsync(space.admit(create));
  mirror.revision = 6;
  await space.admit({ creates: false, removes: false, bytes: 10 * megabyte });
  await t.throwsAsync(space.admit(create));
  t.deepEqual(calls.slice(3), ['compact 6', 'defragment', 'disarm']);
});

test('the size of the file is read when half of what it had room for was written, not for every record', async (t) => {
  const { size, space } = fake(20 * megabyte, 20 * megabyte);
  const create = { creates: true, removes: false, bytes: megabyte };
  for (let index = 0; index < 30; index++) await space.admit(create);
  t.is(size.reads, 1);
});
