import test from 'ava';
import { giveUpMemory } from './give-up-memory.js';

test('memory that is given up is gone at once, and what others may use stays', (t) => {
  const whole = Buffer.allocUnsafeSlow(64 * 1024);
  const part = Buffer.allocUnsafeSlow(64 * 1024).subarray(0, 40 * 1024);
  const pooled = Buffer.from('one of many');
  giveUpMemory([whole, part, pooled]);
  t.is(whole.length, 0);
  t.is(part.length, 40 * 1024);
  t.is(String(pooled), 'one of many');
});
