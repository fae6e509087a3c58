import type { NewEvent } from '@gantry/core';
import type { EngineEvent } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { eventually, startEngine, type TestOwner } from '@gantry/test-engine';
import test from 'ava';
import { eventJson } from './event-json.js';
import events from './index.js';
import { EventReaders } from './service.js';

const start = (t: TestOwner) => startEngine(t, [engineApi, events]);
const started = (id: string, type: NewEvent['type'] = 'container'): NewEvent => ({
  type,
  action: 'start',
  actor: { id, attributes: { name: 'web', image: 'busybox' } },
  ...(type === 'container' && { from: 'busybox' }),
});
const query = (parameters: Record<string, string>): string => `/events?${new URLSearchParams(parameters)}`;
const second = () => Math.floor(Date.now() / 1000);

test('an event has the shape of the specification, with all digits of its time', async (t) => {
  const engine = await start(t);
  const { timeNano } = engine.kernel.events.publish(started('c1'));
  const answer = await engine.ask('GET', query({ since: '0', until: String(second() + 1) }));
  t.is(answer.headers['content-type'], 'application/json');
  t.deepEqual(answer.lines(), [
    {
      status: 'start',
      id: 'c1',
      from: 'busybox',
      Type: 'container',
      Action: 'start',
      Actor: { ID: 'c1', Attributes: { name: 'web', image: 'busybox' } },
      scope: 'local',
      time: Number(timeNano / 1_000_000_000n),
      timeNano: Number(timeNano),
    },
  ]);
  t.true(answer.text.includes(`"timeNano":${timeNano}`));
});

test('events that are of no object carry no id', (t) => {
  const event = { type: 'image', action: 'prune', actor: { id: '', attributes: { reclaimed: '5' } }, timeNano: 5n };
  const shown = JSON.parse(eventJson(event as EngineEvent, { hasScope: true }));
  t.deepEqual(Object.keys(shown), ['status', 'Type', 'Action', 'Actor', 'scope', 'time', 'timeNano']);
});

test('events of networks carry no status, id or from', async (t) => {
  const engine = await start(t);
  engine.kernel.events.publish(started('n1', 'network'));
  const [event] = (await engine.ask('GET', query({ since: '0', until: String(second() + 1) }))).lines();
  t.deepEqual(Object.keys(event ?? {}), ['Type', 'Action', 'Actor', 'scope', 'time', 'timeNano']);
});

test('the response head is sent at once, and each event when it is published', async (t) => {
  const engine = await start(t);
  const { body, leave, status } = await engine.open('GET', '/events');
  t.is(status, 200);
  let heard = '';
  body.on('data', (chunk) => {
    heard += chunk;
  });
  body.on('error', () => undefined);
  const readers = engine.kernel.service(EventReaders);
  t.is(readers.readers, 1);
  for (const id of ['c1', 'c2']) {
    engine.kernel.events.publish(started(id));
    await eventually(id, () => heard.includes(`"id":"${id}"`));
  }
  leave();
  await eventually('the reader is gone', () => readers.readers === 0);
});

test('since replays events from before a restart', async (t) => {
  const engine = await start(t);
  const since = String(second() - 1);
  engine.kernel.events.publish(started('before'));
  await engine.restart();
  engine.kernel.events.publish(started('after'));
  const answer = await engine.ask('GET', query({ since, until: String(second() + 1) }));
  t.deepEqual(
    answer.lines().map(({ id }) => id),
    ['before', 'after'],
  );
});

test('filters are a map of lists', async (t) => {
  const engine = await start(t);
  for (const id of ['c1', 'c2']) engine.kernel.events.publish(started(id));
  const until = String(second() + 1);
  const answer = await engine.ask('GET', query({ since: '0', until, filters: '{"container":["c2"]}' }));
  t.deepEqual(
    answer.lines().map(({ id }) => id),
    ['c2'],
  );
});

test('invalid parameters are refused with 400', async (t) => {
  const engine = await start(t);
  const refused = async (parameters: Record<string, string>) => {
    const { status, json } = await engine.ask('GET', query(parameters));
    return [status, json().message];
  };
  t.deepEqual(await refused({ since: '200', until: '100' }), [400, 'until: 100 is before since: 200']);
  t.deepEqual(await refused({ filters: '{"nosuch":["x"]}' }), [400, "Invalid filter 'nosuch'"]);
  t.is((await refused({ since: 'yesterday' }))[0], 400);
});

test('stopping the engine ends event streams', async (t) => {
  const engine = await start(t);
  const { body } = await engine.open('GET', '/events');
  const ended = new Promise((resolve) => body.resume().once('close', resolve).on('error', resolve));
  await engine.kernel.stop();
  await ended;
  t.pass();
});
