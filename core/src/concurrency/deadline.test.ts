import { getEventListeners } from 'node:events';
import test from 'ava';
import { settlesWithin, withDeadline } from './deadline.js';
import type { Timer } from './timer.js';

/** A timer whose callbacks run when the test says so. */
function manualTimer(): Timer & { readonly pending: Set<() => void>; fire(): void } {
  const pending = new Set<() => void>();
  const after = (_: number, callback: () => void) => {
    pending.add(callback);
    return () => void pending.delete(callback);
  };
  const fire = (): void => {
    for (const callback of pending) callback();
  };
  return { pending, after, fire };
}

const never = new Promise<never>(() => undefined);

test('work that settles in time settles the call and cancels the timer', async (t) => {
  const timer = manualTimer();
  t.is(await withDeadline({ milliseconds: 10, error: 'late', timer }, async () => 'done'), 'done');
  const failing = withDeadline({ milliseconds: 10, error: 'late', timer }, () => Promise.reject(new Error('no')));
  await t.throwsAsync(failing, { message: 'no' });
  t.is(timer.pending.size, 0);
});

test('at the deadline work is aborted and the call rejects, even if the work ignores it', async (t) => {
  const timer = manualTimer();
  let aborted: AbortSignal | undefined;
  const call = withDeadline({ milliseconds: 10, error: 'it hangs', timer }, (signal) => {
    aborted = signal;
    return never;
  });
  timer.fire();
  await t.throwsAsync(call, { name: 'EngineError', message: 'it hangs' });
  t.like(aborted?.reason, { message: 'it hangs' });
});

test('the caller chooses the error, and may abort earlier', async (t) => {
  const timer = manualTimer();
  const late = withDeadline({ milliseconds: 10, error: () => new RangeError('mine'), timer }, () => never);
  timer.fire();
  await t.throwsAsync(late, { instanceOf: RangeError, message: 'mine' });
  const stop = new AbortController();
  const stopped = withDeadline({ milliseconds: 10, error: 'late', timer, signal: stop.signal }, () => never);
  stop.abort(new Error('stopped'));
  await t.throwsAsync(stopped, { message: 'stopped' });
});

test('work that observes its signal can be awaited beyond the deadline', async (t) => {
  const timer = manualTimer();
  let finish: () => void = () => undefined;
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isSettled = false;
  const call = withDeadline({ milliseconds: 10, error: 'late', timer, awaitsWork: true }, () => work).then(() => {
    isSettled = true;
  });
  timer.fire();
  await Promise.resolve();
  t.false(isSettled);
  finish();
  await call;
  t.true(isSettled);
});

test('settlesWithin says whether work settled in time', async (t) => {
  const timer = manualTimer();
  t.true(await settlesWithin(Promise.reject(new Error('no')), 10, { timer }));
  const late = settlesWithin(never, 10, { timer });
  timer.fire();
  t.false(await late);
  const stop = new AbortController();
  const stopped = settlesWithin(never, 10, { timer, signal: stop.signal });
  stop.abort(new Error('stopped'));
  await t.throwsAsync(stopped, { message: 'stopped' });
  t.is(timer.pending.size, 0);
});

test('many deadlines under one signal have one listener, and leave none', async (t) => {
  const { signal } = new AbortController();
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 20 }, () =>
    withDeadline({ milliseconds: 60_000, error: 'late', signal }, () => new Promise<void>((end) => ends.push(end))),
  );
  t.is(getEventListeners(signal, 'abort').length, 1);
  for (const end of ends) end();
  await Promise.all(all);
  t.is(getEventListeners(signal, 'abort').length, 0);
});
