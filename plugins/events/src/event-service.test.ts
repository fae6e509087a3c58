import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EngineEvent, EventBus } from '@gantry/core';
import test, { type ExecutionContext } from 'ava';
import { type EventQuery, EventService } from './event-service.js';
import { EventHistory } from './history.js';
import { lostEvent } from './lost-event.js';

async function bench(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-events-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const history = new EventHistory({
    directory,
    segmentBytes: 2 ** 20,
    segments: 2,
    lost: (events) => lostEvent('host1', events),
    onFault: (error) => t.fail(String(error)),
  });
  await history.start();
  t.teardown(() => history.flush());
  const bus = new EventBus();
  const service = new EventService(history, bus, 'host1');
  const controller = new AbortController();
  return {
    service,
    controller,
    happen: (id: string): EngineEvent =>
      bus.publish({ type: 'container', action: 'start', actor: { id, attributes: {} } }),
    stream: (query: Partial<EventQuery> = {}) => service.stream({ filters: {}, signal: controller.signal, ...query }),
  };
}

async function take(stream: AsyncIterable<EngineEvent>, count: number): Promise<EngineEvent[]> {
  const taken: EngineEvent[] = [];
  for await (const event of stream) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

const ids = (events: readonly EngineEvent[]): string[] => events.map(({ actor }) => actor.id);

test('a stream has what happens after it was asked for', async (t) => {
  const { happen, stream } = await bench(t);
  happen('before');
  const events = stream();
  happen('one');
  happen('two');
  t.deepEqual(ids(await take(events, 2)), ['one', 'two']);
});

test('since gives the past first and goes on, each event once', async (t) => {
  const { happen, stream } = await bench(t);
  happen('early');
  const { timeNano: since } = happen('past');
  const events = stream({ since });
  happen('between'); // in the history and in the live stream
  const taking = take(events, 3);
  await new Promise(setImmediate);
  happen('live');
  t.deepEqual(ids(await taking), ['past', 'between', 'live']);
});

test('until in the past ends with the past', async (t) => {
  const { happen, stream } = await bench(t);
  happen('one');
  const { timeNano: until } = happen('two');
  happen('three');
  t.deepEqual(ids(await take(stream({ until }), 9)), ['one', 'two']);
});

test('until in the future ends then, with what waited for a slow reader', async (t) => {
  const { happen, service, stream } = await bench(t);
  const end = Date.now() + 500;
  const until = BigInt(end) * 1_000_000n;
  const events = stream({ since: until - 1n, until })[Symbol.asyncIterator]();
  const first = events.next();
  for (const id of ['one', 'two', 'three']) happen(id);
  t.is((await first).value?.actor.id, 'one');
  while (Date.now() <= end) await delay(20);
  const rest: EngineEvent[] = [];
  for (let next = await events.next(); next.done !== true; next = await events.next()) rest.push(next.value);
  t.deepEqual(ids(rest), ['two', 'three']);
  t.is(service.readers, 0);
});

test('a reader that is too slow is told how many events it lost, and gets the later ones', async (t) => {
  const { happen, stream } = await bench(t);
  const events = stream({ filters: { container: ['c1', 'last'] } })[Symbol.asyncIterator]();
  const first = events.next();
  for (let count = 0; count < 4100; count += 1) happen('c1');
  await first;
  happen('last');
  const actions: string[] = [];
  for (let next = await events.next(); next.value?.actor.id !== 'last'; next = await events.next()) {
    if (next.value?.action !== 'start') actions.push(`${next.value?.action} ${next.value?.actor.attributes.lost}`);
  }
  t.deepEqual(actions, ['events-lost 4']);
});

test('leaving by abort or by ending the loop takes the reader out', async (t) => {
  const { controller, happen, service, stream } = await bench(t);
  const aborted = take(stream(), 9);
  const left = stream();
  t.is(service.readers, 2);
  happen('one');
  await take(left, 1);
  t.is(service.readers, 1);
  controller.abort();
  t.deepEqual(ids(await aborted), ['one']);
  t.is(service.readers, 0);
});
