import test from 'ava';
import { untilAborted } from './until-aborted.js';

test('resolves when the signal aborts, not before', async (t) => {
  const abort = new AbortController();
  let hasResolved = false;
  const waiting = untilAborted(abort.signal).then(() => {
    hasResolved = true;
  });
  await Promise.resolve();
  t.false(hasResolved);
  abort.abort(new Error('over'));
  await t.notThrowsAsync(waiting);
});

test('resolves at once with a signal that has aborted', async (t) => {
  await t.notThrowsAsync(untilAborted(AbortSignal.abort()));
});
