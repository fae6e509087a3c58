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

test('the callback runs twice per idle period, five seconds apart', async (t) => {
  const { pass, calls, finish, watcher } = fixture();
  const idle = async (): Promise<void> => {
    pass(0);
    finish();
    await Promise.resolve();
  };
  pass(2000);
  pass(50);
  t.is(calls(), 1);
  finish();
  await Promise.resolve();
  await idle();
  t.is(calls(), 1, 'only 2.5 seconds later');
  await idle();
  t.is(calls(), 2);
  for (let count = 0; count < 4; count++) await idle();
  t.is(calls(), 2);
  watcher.stop();
});

test('work between the two callbacks begins a new idle period', async (t) => {
  const { pass, calls, finish, watcher } = fixture();
  pass(2000);
  pass(0);
  finish();
  await Promise.resolve();
  pass(1000);
  pass(0);
  t.is(calls(), 2, 'the first one of the new period');
  finish();
  await Promise.resolve();
  pass(0);
  t.is(calls(), 2);
  pass(0);
  t.is(calls(), 3);
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

test('after callbacks that took long, more work has to add up before the next', async (t) => {
  const { pass, calls, finish, watcher } = fixture();
  const end = async (used: number): Promise<void> => {
    pass(used);
    finish();
    await Promise.resolve();
  };
  pass(2000);
  pass(0);
  await end(60);
  pass(0);
  pass(0);
  t.is(calls(), 2);
  await end(40);
  pass(900);
  pass(0);
  t.is(calls(), 2);
  pass(200);
  pass(0);
  t.is(calls(), 3);
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
