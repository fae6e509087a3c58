import test from 'ava';
import { lostUpdates } from './lost-updates.js';

const acknowledged = (value: string, version: number, at: number) =>
  ({ value, version, at, outcome: 'acknowledged' }) as const;

test('after the loss of the majority only the newest updates may be missing', (t) => {
  const updates = [acknowledged('a', 1, 100), acknowledged('b', 2, 200), acknowledged('c', 3, 300)];
  t.deepEqual(lostUpdates(updates, ['a', 'b', 'c'], 150), { lost: 0, contradictions: [] });
  t.deepEqual(lostUpdates(updates, ['a', 'b'], 150), { lost: 1, contradictions: [] });
  t.deepEqual(lostUpdates(updates, ['a'], 150), { lost: 2, contradictions: [] });
  t.deepEqual(lostUpdates(updates, ['a', 'c'], 150), {
    lost: 1,
    contradictions: ['b is lost, and a later update is not'],
  });
  t.deepEqual(lostUpdates(updates, [], 150), {
    lost: 3,
    contradictions: ['a was acknowledged 50 ms too early to be lost'],
  });
  t.deepEqual(lostUpdates([{ value: 'a', version: 1, at: 100, outcome: 'refused' }], ['a'], 0), {
    lost: 0,
    contradictions: ['a was refused, and is there'],
  });
});
