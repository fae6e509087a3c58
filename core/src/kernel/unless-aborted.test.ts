import test from 'ava';
import { unlessAborted } from './unless-aborted.js';

test('work is waited for until the signal says otherwise, and then goes on alone', async (t) => {
  t.is(await unlessAborted(Promise.resolve(1), undefined), 1);
  const stop = new AbortController();
  t.is(await unlessAborted(Promise.resolve(2), stop.signal), 2);
  let finish: (value: number) => void = () => undefined;
  const work = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const left = unlessAborted(work, stop.signal);
  stop.abort(new Error('enough'));
  await t.throwsAsync(left, { message: 'enough' });
  await t.throwsAsync(unlessAborted(work, stop.signal), { message: 'enough' });
  finish(3);
  t.is(await work, 3);
});
