import test from 'ava';
import { WorkCounter } from './work-counter.js';

const valuesOf = (counter: WorkCounter) =>
  Object.fromEntries(counter.measure().map(({ name, values }) => [name, values.map(({ value }) => value)]));

test('work is counted by its outcome while it runs and when it has ended', async (t) => {
  const counter = new WorkCounter('pulls', 'pulls');
  let finish: () => void = () => undefined;
  const first = counter.run(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  t.like(valuesOf(counter), { pulls_total: [0, 0], pulls_running: [1] });
  finish();
  await first;
  await t.throwsAsync(
    counter.run(() => Promise.reject(new Error('absent'))),
    { message: 'absent' },
  );
  t.like(valuesOf(counter), { pulls_total: [1, 1], pulls_running: [0] });
  t.true(Number(valuesOf(counter).pulls_seconds_total) > 0);
});
