import test from 'ava';
import { RestWatch } from './rest-watch.js';

/** A watch whose clock is moved by hand: each step says how much of it was work. */
function watched() {
  let used = 0;
  let at = 0;
  let rests = 0;
  let finish: () => void = () => undefined;
  const onRest = () =>
    new Promise<void>((resolve) => {
      rests++;
      finish = resolve;
    });
  const watch = new RestWatch(onRest, { every: 2 ** 30, used: () => used, now: () => at });
  const pass = (work: number): void => {
    used += work;
    at += 2500;
    watch.look();
  };
  return { pass, rests: () => rests, finish: () => finish(), watch };
}

test('rest after work is told once', async (t) => {
  const { pass, rests, finish, watch } = watched();
  pass(2000);
  t.is(rests(), 0, 'it is still at work');
  pass(50);
  t.is(rests(), 1);
  finish();
  await Promise.resolve();
  pass(0);
  pass(90);
  t.is(rests(), 1, 'nothing has been done since');
  pass(1000);
  pass(0);
  t.is(rests(), 2, 'work again, and rest again');
  watch.stop();
});

test('a little work is not worth it', (t) => {
  const { pass, rests, watch } = watched();
  for (let count = 0; count < 3; count++) pass(90);
  t.is(rests(), 0);
  pass(90);
  t.is(rests(), 1, 'but it adds up');
  watch.stop();
});

test('while memory is given back nobody asks for it again, and that is no work', async (t) => {
  const { pass, rests, finish, watch } = watched();
  pass(2000);
  pass(0);
  pass(400);
  pass(0);
  t.is(rests(), 1);
  finish();
  await Promise.resolve();
  pass(0);
  t.is(rests(), 1);
  watch.stop();
});
