import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { systemTimer } from './timer.js';

test('a time beyond what the event loop takes does not pass at once', async (t) => {
  let calls = 0;
  const cancel = systemTimer.after(2 ** 32, () => {
    calls += 1;
  });
  systemTimer.after(0, () => {
    calls += 10;
  });
  await delay(20);
  t.is(calls, 10);
  cancel();
});
