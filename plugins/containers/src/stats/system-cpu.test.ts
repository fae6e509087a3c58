import test from 'ava';
import { parseSystemCpu, systemCpuReader } from './system-cpu.js';

test('time is counted over all processors, without what is in another field already', (t) => {
  const text = 'cpu  1 2 3 4 5 6 7 800 900 1000\ncpu0 1 1 1 1 1 1 1 8 9 10\ncpu1 0 1 2 3 4 5 6 0 0 0\nintr 5 4\n';
  t.deepEqual(parseSystemCpu(text), { usage: 28 * 10_000_000, online: 2 });
});

test('who asks at the same time is served by one reading, who asks later by another', async (t) => {
  const read = systemCpuReader();
  const first = read();
  t.is(read(), first);
  const { usage, online } = await first;
  t.true(usage > 0 && online > 0);
  t.not(read(), first);
});
