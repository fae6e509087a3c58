import test from 'ava';
import { deviceNumber, deviceNumbers } from './device-numbers.js';

test('device numbers are cut as the kernel joins them', (t) => {
  t.deepEqual(deviceNumbers(0x801), { major: 8, minor: 1 });
  t.deepEqual(deviceNumbers(0x10_30_05), { major: 0x30, minor: 0x105 });
  for (const [major, minor] of [
    [259, 70_000],
    [0xfffff, 3],
  ] as const) {
    t.deepEqual(deviceNumbers(deviceNumber(major, minor)), { major, minor });
  }
});
