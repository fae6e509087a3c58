import test from 'ava';
import { conflict, internal, notFound } from '../../errors/engine-error.js';
import { EventBus, type NewEvent } from './event-bus.js';
import { prune } from './prune.js';

function eventsInto(published: NewEvent[]) {
  const events = new EventBus();
  const publish = events.publish.bind(events);
  return Object.assign(events, {
    publish(event: NewEvent) {
      published.push(event);
      return publish(event);
    },
  });
}

const never = new AbortController().signal;

test('a prune removes what is unneeded, counts the bytes, and passes over what is needed again', async (t) => {
  const published: NewEvent[] = [];
  const sizes: Readonly<Record<string, number | Error | undefined>> = {
    old: 3,
    used: 5,
    busy: conflict('in use'),
    gone: notFound('gone'),
    missing: undefined,
    last: 4,
  };
  const pruned = await prune(eventsInto(published), {
    type: 'volume',
    candidates: Object.keys(sizes),
    isUnneeded: (name) => name !== 'used',
    remove: async (name) => {
      const size = sizes[name];
      if (size instanceof Error) throw size;
      return size;
    },
    tolerated: ['conflict', 'not-found'],
    signal: never,
  });
  t.deepEqual(pruned, { removed: ['old', 'last'], reclaimed: 7 });
  t.deepEqual(published, [{ type: 'volume', action: 'prune', actor: { id: '', attributes: { reclaimed: '7' } } }]);
});

test('a prune rejects with another failure, and stops at abort', async (t) => {
  const events = eventsInto([]);
  const failing = prune(events, {
    type: 'image',
    candidates: ['one'],
    isUnneeded: () => true,
    remove: () => Promise.reject(internal('the disk is broken')),
    tolerated: ['conflict'],
    signal: never,
  });
  await t.throwsAsync(failing, { message: 'the disk is broken' });
  const stop = new AbortController();
  const stopped = await prune(events, {
    type: 'image',
    candidates: ['one', 'two'],
    isUnneeded: () => true,
    remove: async () => {
      stop.abort();
      return 1;
    },
    tolerated: [],
    signal: stop.signal,
  });
  t.deepEqual(stopped.removed, ['one']);
});
