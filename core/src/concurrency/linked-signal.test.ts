import { getEventListeners } from 'node:events';
import test from 'ava';
import { linkedSignal } from './linked-signal.js';

const make = () => {
  const [own, first, second] = [new AbortController(), new AbortController(), new AbortController()];
  const linked = linkedSignal(own.signal, first.signal, second.signal);
  const listeners = () =>
    [own, first, second].map(({ signal }) => getEventListeners(signal, 'abort').length).reduce((sum, n) => sum + n, 0);
  return { own, second, linked, listeners };
};

test('a linked signal aborts with the first of its sources, and with its reason', (t) => {
  const { linked, listeners, own, second } = make();
  t.false(linked.aborted);
  second.abort('second');
  own.abort('own');
  t.is(linked.reason, 'second');
  t.is(listeners(), 0);
});

test('nothing is left with the other sources when the own signal has aborted', (t) => {
  const { linked, listeners, own } = make();
  t.is(listeners(), 3);
  own.abort();
  t.true(linked.aborted);
  t.is(listeners(), 0);
});

test('a source that has aborted already aborts the linked signal at once', (t) => {
  const linked = linkedSignal(new AbortController().signal, AbortSignal.abort('before'));
  t.is(linked.reason, 'before');
});
