import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { Mutex } from './mutex.js';

test('work runs one piece at a time in the order of the calls, and a failure does not stop the next', async (t) => {
  const mutex = new Mutex();
  const done: string[] = [];
  t.false(mutex.isLocked);
  const slow = mutex.run(async () => {
    done.push('begun at once');
    await turn();
    done.push('slow');
  });
  t.deepEqual(done, ['begun at once']);
  t.true(mutex.isLocked);
  const failing = mutex.run(async () => {
    done.push('failing');
    throw new Error('no');
  });
  const last = mutex.run(async () => done.push('last'));
  await slow;
  await t.throwsAsync(failing, { message: 'no' });
  await last;
  await turn();
  t.deepEqual(done, ['begun at once', 'slow', 'failing', 'last']);
  t.false(mutex.isLocked);
});
