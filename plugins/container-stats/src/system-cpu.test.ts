import test from 'ava';
import { parseSystemCpu, SystemCpuReader } from './system-cpu.js';

test('time is summed over all CPUs, without guest time, which another field contains', (t) => {
  const text = 'cpu  1 2 3 4 5 6 7 800 900 1000\ncpu0 1 1 1 1 1 1 1 8 9 10\ncpu1 0 1 2 3 4 5 6 0 0 0\nintr 5 4\n';
  t.deepEqual(parseSystemCpu(text), { usage: 28 * 10_000_000, online: 2 });
});

test('concurrent calls share one read, later calls read again', async (t) => {
  const reader = new SystemCpuReader();
  const first = reader.read();
  t.is(reader.read(), first);
  const { usage, online } = await first;
  t.true(usage > 0 && online > 0);
  t.not(reader.read(), first);
});
