import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { KeyedMutex } from './keyed-mutex.js';

test('work with one key runs in the order of the calls, work with another key in parallel', async (t) => {
  const mutex = new KeyedMutex();
  const done: string[] = [];
  const slow = mutex.run('a', async () => {
    await turn();
    await turn();
    done.push('a1');
  });
  const failing = mutex.run('a', async () => {
    done.push('a2');
    throw new Error('no');
  });
  const last = mutex.run('a', async () => done.push('a3'));
  await mutex.run('b', async () => done.push('b'));
  await slow;
  await t.throwsAsync(failing, { message: 'no' });
  await last;
  t.deepEqual(done, ['b', 'a1', 'a2', 'a3']);
});
