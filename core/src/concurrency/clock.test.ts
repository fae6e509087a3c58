import test from 'ava';
import { nanosOf, rfc3339, SystemClock } from './clock.js';

test('the system clock follows the wall clock with a finer resolution', (t) => {
  const clock = new SystemClock();
  for (let look = 0; look < 200; look++) clock.now();
  const before = Date.now();
  const now = clock.now();
  const after = Date.now();
  t.true(now >= BigInt(before) * 1_000_000n - 1_000_000n);
  t.true(now < BigInt(after + 1) * 1_000_000n + 1_000_000n);
});

test('times are formatted with nine decimals and parsed back', (t) => {
  t.is(rfc3339(1_700_000_000_000_000_005n), '2023-11-14T22:13:20.000000005Z');
  for (const text of ['2023-11-14T22:13:20.000000005Z', '2023-11-14T22:13:20.100000000Z']) {
    t.is(rfc3339(nanosOf(text)), text);
  }
  t.is(nanosOf('2023-11-14T22:13:20Z'), 1_700_000_000_000_000_000n);
  t.is(nanosOf('2023-11-14T22:13:20.5Z'), 1_700_000_000_500_000_000n);
});

test('a cancelled timer does not call back', async (t) => {
  const clock = new SystemClock();
  const called: string[] = [];
  clock.after(1, () => called.push('a'))();
  await new Promise<void>((resolve) => clock.after(5, resolve));
  t.deepEqual(called, []);
});
