import test from 'ava';
import { abortable } from './abortable.js';

test('an abort ends the wait, not the work', async (t) => {
  t.is(await abortable(Promise.resolve(1), undefined), 1);
  const stop = new AbortController();
  t.is(await abortable(Promise.resolve(2), stop.signal), 2);
  let finish: (value: number) => void = () => undefined;
  const work = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const waiting = abortable(work, stop.signal);
  stop.abort(new Error('enough'));
  await t.throwsAsync(waiting, { message: 'enough' });
  await t.throwsAsync(abortable(work, stop.signal), { message: 'enough' });
  finish(3);
  t.is(await work, 3);
});
