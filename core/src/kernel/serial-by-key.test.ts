import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { SerialByKey } from './serial-by-key.js';

test('what concerns one key runs in its order, other keys beside it', async (t) => {
  const serial = new SerialByKey();
  const done: string[] = [];
  const slow = serial.run('a', async () => {
    await turn();
    await turn();
    done.push('a1');
  });
  const failing = serial.run('a', async () => {
    done.push('a2');
    throw new Error('no');
  });
  const last = serial.run('a', async () => done.push('a3'));
  await serial.run('b', async () => done.push('b'));
  await slow;
  await t.throwsAsync(failing, { message: 'no' });
  await last;
  t.deepEqual(done, ['b', 'a1', 'a2', 'a3']);
});
