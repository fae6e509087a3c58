import test from 'ava';
import { newKey, seal, unseal } from './seal.js';

test('sealed content is opened with its key, and is never sealed the same way twice', (t) => {
  const key = newKey();
  const sealed = seal(key, Buffer.from('hello'));
  t.is(unseal(key, sealed).toString(), 'hello');
  t.not(seal(key, Buffer.from('hello')), sealed);
});

test('another key, and changed or cut content, are refused', (t) => {
  const key = newKey();
  const sealed = seal(key, Buffer.from('hello'));
  const changed = Buffer.from(sealed, 'base64');
  changed[14] = (changed[14] ?? 0) ^ 1;
  for (const [usedKey, text] of [
    [newKey(), sealed],
    [key, changed.toString('base64')],
    [key, 'AAAA'],
    [key, ''],
  ] as const) {
    t.throws(() => unseal(usedKey, text), { message: /cannot be opened/ });
  }
});
