import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { PacedWakeUps } from './paced-wake-ups.js';
import { WakeUp } from './wake-up.js';

test('the event loop turns between the wake-ups of many, which come in their order, once each', async (t) => {
  const paced = new PacedWakeUps();
  const woken: number[] = [];
  const wakeUps = Array.from({ length: 120 }, () => new WakeUp());
  for (const [index, wakeUp] of wakeUps.entries()) void wakeUp.wait().then(() => woken.push(index));
  for (const wakeUp of [...wakeUps, ...wakeUps]) paced.add(wakeUp);
  t.deepEqual(woken, []);
  const counts: number[] = [];
  while (woken.length < wakeUps.length) {
    await setImmediate();
    counts.push(woken.length);
  }
  t.deepEqual(counts, [50, 100, 120]);
  t.deepEqual(woken, [...wakeUps.keys()]);
});

test('one that is woken is woken again when it is added again', async (t) => {
  const paced = new PacedWakeUps();
  const wakeUp = new WakeUp();
  for (let round = 0; round < 2; round++) {
    paced.add(wakeUp);
    await wakeUp.wait();
  }
  t.pass();
});
