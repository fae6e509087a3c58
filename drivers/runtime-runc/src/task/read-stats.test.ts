import test from 'ava';
import { parseNetworkCounters } from './read-stats.js';

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
