import test from 'ava';
import { IdleWatcher } from './idle-watcher.js';

/** A watcher whose clock the test advances: each step says how much processor time it used. */
function fixture() {
  let used = 0;
  let at = 0;
  let calls = 0;
  let finish: () => void = () => undefined;
  const onIdle = () =>
    new Promise<void>((resolve) => {
      calls++;
      finish = resolve;
    });
  const watcher = new IdleWatcher(onIdle, { interval: 2 ** 30, used: () => used, now: () => at });
  const pass = (work: number): void => {
    used += work;
    at += 2500;
    watcher.sample();
  };
  return { pass, calls: () => calls, finish: () => finish(), watcher };
}

test('the callback runs once per idle period', async (t) => {
  const { pass, calls, finish, watcher } = fixture();
  pass(2000);
  t.is(calls(), 0, 'the process is still busy');
  pass(50);
  t.is(calls(), 1);
  finish();
  await Promise.resolve();
  pass(0);
  pass(90);
  t.is(calls(), 1, 'no work since');
  pass(1000);
  pass(0);
  t.is(calls(), 2, 'work, then idle again');
  watcher.stop();
});

test('little work does not trigger the callback until it adds up', (t) => {
  const { pass, calls, watcher } = fixture();
  for (let count = 0; count < 3; count++) pass(90);
  t.is(calls(), 0);
  pass(90);
  t.is(calls(), 1);
  watcher.stop();
});

test('a running callback is not called again, and its processor time is no work', async (t) => {
  const { pass, calls, finish, watcher } = fixture();
  pass(2000);
  pass(0);
  pass(400);
  pass(0);
  t.is(calls(), 1);
  finish();
  await Promise.resolve();
  pass(0);
  t.is(calls(), 1);
  watcher.stop();
});
