import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import type { EtcdClient } from '../rpc/etcd-client.js';
import { LeaderWatch } from './leader-watch.js';

type Status = Awaited<ReturnType<EtcdClient['status']>>;

const leading = { header: { memberId: '1' }, isLearner: false, leader: '1' } as unknown as Status;

/** Watches a member that leads, whose etcd does not answer the second look; `took` is how long that seems to take. */
function watch(took: number) {
  let now = 0;
  let looks = 0;
  const status = async (): Promise<Status> => {
    looks += 1;
    if (looks !== 2) return leading;
    now += took;
    throw new Error('the deadline is exceeded');
  };
  const nothing = async (): Promise<void> => undefined;
  const watched = new LeaderWatch(
    { status },
    () => false,
    nothing,
    nothing,
    () => now,
  );
  return { looks: () => looks, lost: (signal: AbortSignal) => watched.untilLost(signal) };
}

test('a member whose etcd does not answer in time leads no more', async (t) => {
  const { looks, lost } = watch(5_000);
  await lost(new AbortController().signal);
  t.is(looks(), 2);
});

test('a manager that was too late to read the answer of its etcd asks again', async (t) => {
  const { looks, lost } = watch(7_000);
  const end = new AbortController();
  let isLost = false;
  const ended = lost(end.signal).then(() => {
    isLost = true;
  });
  while (looks() < 3 && !isLost) await delay(20);
  t.false(isLost);
  end.abort();
  await ended;
});
