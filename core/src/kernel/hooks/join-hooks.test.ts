import test from 'ava';
import { joinHooks } from './join-hooks.js';

test('every one of several objects hears of a reload, in their order', (t) => {
  const calls: string[] = [];
  const hooks = joinHooks([
    { reloaded: () => void calls.push('first') },
    {},
    { reloaded: () => void calls.push('last') },
  ]);
  hooks.reloaded?.();
  t.deepEqual(calls, ['first', 'last']);
});
