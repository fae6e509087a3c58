import test from 'ava';
import { Semaphore } from './semaphore.js';

test('permits are granted in the order of the calls, and an aborted wait leaves the queue', async (t) => {
  const semaphore = new Semaphore(1);
  const order: string[] = [];
  const release = await semaphore.acquire();
  t.true(semaphore.isExhausted);
  const first = semaphore.run(async () => void order.push('first'));
  const abort = new AbortController();
  const aborted = semaphore.acquire({ signal: abort.signal });
  const second = semaphore.run(async () => void order.push('second'));
  abort.abort(new Error('enough'));
  await t.throwsAsync(aborted, { message: 'enough' });
  t.deepEqual(order, []);
  release();
  release(); // idempotent
  await Promise.all([first, second]);
  t.deepEqual(order, ['first', 'second']);
  t.false(semaphore.isExhausted);
});

test('failed work releases its permit', async (t) => {
  const semaphore = new Semaphore(1);
  await t.throwsAsync(
    semaphore.run(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.is(await semaphore.run(async () => 'next'), 'next');
});

test('a permit held for too long is released, once', async (t) => {
  const semaphore = new Semaphore(1);
  const callbacks: (() => void)[] = [];
  const after = (_: number, callback: () => void) => {
    callbacks.push(callback);
    return () => undefined;
  };
  const release = await semaphore.acquire({ maxHoldMilliseconds: 10, timer: { after } });
  const next = semaphore.acquire();
  callbacks[0]?.();
  const releaseNext = await next;
  release();
  t.true(semaphore.isExhausted, 'the late holder must not release the permit of the next');
  releaseNext();
  t.false(semaphore.isExhausted);
});
