import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EngineEvent, EventBus } from '@gantry/core';
import { type LogFacts, silentLogger } from '@gantry/core/driver';
import test, { type ExecutionContext } from 'ava';
import { EventHistory } from './event-history.js';
import { type EventQuery, EventService } from './event-service.js';

async function fixture(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-events-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const log = { ...silentLogger, error: (facts: LogFacts) => t.fail(String(facts.error)) };
  const config = { segmentBytes: 2 ** 20, segments: 2 };
  const history = new EventHistory({ root: directory, state: directory }, config, log);
  await history.start();
  t.teardown(() => history.flush());
  const bus = new EventBus();
  const service = new EventService(history, bus);
  service.start();
  const controller = new AbortController();
  return {
    service,
    controller,
    publish: (id: string): EngineEvent =>
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

test('a stream without since starts with the next event', async (t) => {
  const { publish, stream } = await fixture(t);
  publish('before');
  const events = stream();
  publish('one');
  publish('two');
  t.deepEqual(ids(await take(events, 2)), ['one', 'two']);
});

test('since replays the history and then follows, each event once', async (t) => {
  const { publish, stream } = await fixture(t);
  publish('early');
  const { timeNano: since } = publish('past');
  const events = stream({ since });
  publish('between'); // in the history and in the live stream
  const taking = take(events, 3);
  await new Promise(setImmediate);
  publish('live');
  t.deepEqual(ids(await taking), ['past', 'between', 'live']);
});

test('until in the past ends the stream after the replay', async (t) => {
  const { publish, stream } = await fixture(t);
  publish('one');
  const { timeNano: until } = publish('two');
  publish('three');
  t.deepEqual(ids(await take(stream({ until }), 9)), ['one', 'two']);
});

test('until in the future ends the stream then, after the events queued for a slow reader', async (t) => {
  const { publish, service, stream } = await fixture(t);
  const end = Date.now() + 500;
  const until = BigInt(end) * 1_000_000n;
  const events = stream({ since: until - 1n, until })[Symbol.asyncIterator]();
  const first = events.next();
  for (const id of ['one', 'two', 'three']) publish(id);
  t.is((await first).value?.actor.id, 'one');
  while (Date.now() <= end) await delay(20);
  const rest: EngineEvent[] = [];
  for (let next = await events.next(); next.done !== true; next = await events.next()) rest.push(next.value);
  t.deepEqual(ids(rest), ['two', 'three']);
  t.is(service.readers, 0);
});

test('a slow reader receives the number of events it lost, then the later ones', async (t) => {
  const { publish, stream } = await fixture(t);
  const events = stream({ filters: { container: ['c1', 'last'] } })[Symbol.asyncIterator]();
  const first = events.next();
  for (let count = 0; count < 4100; count += 1) publish('c1');
  await first;
  publish('last');
  const actions: string[] = [];
  for (let next = await events.next(); next.value?.actor.id !== 'last'; next = await events.next()) {
    if (next.value?.action !== 'start') actions.push(`${next.value?.action} ${next.value?.actor.attributes.lost}`);
  }
  t.deepEqual(actions, ['events-lost 4']);
});

test('an abort or the end of the loop removes the reader', async (t) => {
  const { controller, publish, service, stream } = await fixture(t);
  const aborted = take(stream(), 9);
  const left = stream();
  t.is(service.readers, 2);
  publish('one');
  await take(left, 1);
  t.is(service.readers, 1);
  controller.abort();
  t.deepEqual(ids(await aborted), ['one']);
  t.is(service.readers, 0);
});
