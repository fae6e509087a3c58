import type { Cgroups } from '@gantry/lib-linux/cgroups';
import test from 'ava';
import { parseNetworkCounters, ReadStats } from './read-stats.js';
import type { Task } from './task.js';

test('interfaces have their counters, the loopback has none', (t) => {
  const text = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo:     100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0',
    '  eth0:12345678    9000    1    2    0     0          0         5  7654321    8000    3    4    0     0       0          0',
  ].join('\n');
  t.deepEqual(parseNetworkCounters(`${text}\n`), {
    eth0: {
      rxBytes: 12_345_678,
      rxPackets: 9000,
      rxErrors: 1,
      rxDropped: 2,
      txBytes: 7_654_321,
      txPackets: 8000,
      txErrors: 3,
      txDropped: 4,
    },
  });
});

test('a thousand tasks are read a few at a time, and one that cannot be read keeps none waiting', async (t) => {
  let [present, most, reads] = [0, 0, 0];
  const statistics = async () => {
    present += 1;
    most = Math.max(most, present);
    await new Promise((resolve) => setImmediate(resolve));
    present -= 1;
    reads += 1;
    if (reads % 10 === 0) throw new Error('no such group');
    return {};
  };
  const stats = new ReadStats({ group: async () => ({ statistics }) } as unknown as Cgroups);
  const task = { living: { record: { cgroup: '/', first: { pid: process.pid } } } } as unknown as Task;
  const outcomes = await Promise.allSettled(Array.from({ length: 1000 }, () => stats.read(task)));
  t.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 900);
  t.true(most <= 16, `${most} at a time`);
});
