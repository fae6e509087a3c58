import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { Admission } from './admission.js';

/** Calls back when told to. */
class ManualClock {
  readonly #waiting = new Set<() => void>();

  after(_: number, callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  elapse(): void {
    for (const callback of this.#waiting) {
      this.#waiting.delete(callback);
      callback();
    }
  }
}

async function crowd(places: number, size: number) {
  const clock = new ManualClock();
  const admission = new Admission(clock, { places, patience: 1000 });
  const entered: { readonly who: number; readonly leave: () => void }[] = [];
  for (let who = 0; who < size; who++) void admission.enter().then((leave) => entered.push({ who, leave }));
  await turn();
  return { clock, entered, who: () => entered.map((one) => one.who) };
}

test('as many as there are places come in, the next when one leaves, in the order they came', async (t) => {
  const { entered, who } = await crowd(2, 5);
  t.deepEqual(who(), [0, 1]);
  entered[1]?.leave();
  await turn();
  t.deepEqual(who(), [0, 1, 2]);
  for (const { leave } of entered.slice()) leave();
  await turn();
  t.deepEqual(who(), [0, 1, 2, 3, 4]);
});

test('whoever leaves twice gives one place back', async (t) => {
  const { entered, who } = await crowd(1, 3);
  entered[0]?.leave();
  entered[0]?.leave();
  await turn();
  t.deepEqual(who(), [0, 1]);
});

test('whoever stays too long does not keep the others out', async (t) => {
  const { clock, who } = await crowd(1, 2);
  clock.elapse();
  await turn();
  t.deepEqual(who(), [0, 1]);
});
