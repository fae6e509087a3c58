import test from 'ava';
import { Lanes } from './lanes.js';

test('works wait for a lane in the order in which they came, and who gives up leaves its place to the next', async (t) => {
  const lanes = new Lanes(1);
  const order: string[] = [];
  const leave = await lanes.take();
  t.true(lanes.isFull);
  const first = lanes.run(async () => void order.push('first'));
  const impatient = new AbortController();
  const given = lanes.take(impatient.signal);
  const second = lanes.run(async () => void order.push('second'));
  impatient.abort(new Error('enough'));
  await t.throwsAsync(given, { message: 'enough' });
  t.deepEqual(order, []);
  leave();
  leave(); // counts once
  await Promise.all([first, second]);
  t.deepEqual(order, ['first', 'second']);
  t.false(lanes.isFull);
});

test('a work that fails gives its lane back', async (t) => {
  const lanes = new Lanes(1);
  await t.throwsAsync(
    lanes.run(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.is(await lanes.run(async () => 'next'), 'next');
});
