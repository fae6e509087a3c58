import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EngineEvent } from '@gantry/core';
import { type LogFacts, silentLogger } from '@gantry/core/driver';
import test, { type ExecutionContext } from 'ava';
import { EventHistory } from './event-history.js';
import { historyLine } from './event-json.js';

const event = (time: bigint): EngineEvent => ({
  type: 'container',
  action: 'start',
  actor: { id: `c${time}`, attributes: { name: 'web' } },
  from: 'busybox',
  timeNano: time,
});

async function fixture(t: ExecutionContext, segmentBytes = 2 ** 20) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-events-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const errors: string[] = [];
  const open = async () => {
    const log = { ...silentLogger, error: (facts: LogFacts) => errors.push(facts.event) };
    const history = new EventHistory({ root: directory, state: directory }, { segmentBytes, segments: 2 }, log);
    await history.start();
    return history;
  };
  return { directory, errors, open };
}

const times = async (history: EventHistory, since = 0n, until?: bigint): Promise<bigint[]> => {
  const found: bigint[] = [];
  for await (const { timeNano } of history.read(since, until)) found.push(timeNano);
  return found;
};

test('an appended event is read back unchanged, at once and after a restart', async (t) => {
  const { open } = await fixture(t);
  const history = await open();
  const original = event(1_600_000_000_123_456_789n);
  history.append(original);
  await history.flush();
  for (const reader of [history, await open()]) {
    for await (const read of reader.read(0n, undefined)) t.deepEqual(read, original);
    t.is((await times(reader)).length, 1);
  }
});

test('unwritten events are read too, and only once', async (t) => {
  const { open } = await fixture(t);
  const history = await open();
  const expected: bigint[] = [];
  for (let time = 1n; time < 40n; time++) {
    history.append(event(time));
    expected.push(time);
    const writing = time % 3n === 0n ? history.flush() : undefined;
    t.deepEqual(await times(history), expected);
    await writing;
  }
});

test('segment files are readable by their owner only', async (t) => {
  const { directory, open } = await fixture(t, 1);
  const history = await open();
  for (const time of [1n, 2n]) {
    history.append(event(time));
    await history.flush();
  }
  for (const name of await readdir(directory)) t.is((await stat(path.join(directory, name))).mode & 0o777, 0o600, name);
});

test('since and until are both inclusive', async (t) => {
  const { open } = await fixture(t);
  const history = await open();
  for (const time of [1n, 2n, 3n, 4n]) history.append(event(time));
  t.deepEqual(await times(history, 2n, 3n), [2n, 3n]);
  t.deepEqual(await times(history, 3n), [3n, 4n]);
  t.deepEqual(await times(history, 5n), []);
});

test('events are found after the clock was set back', async (t) => {
  const { open } = await fixture(t);
  const history = await open();
  for (const time of [5n, 2n, 3n]) history.append(event(time));
  t.deepEqual(await times(history, 0n, 3n), [2n, 3n]);
});

test('a full segment is not read again for times of which it has no events', async (t) => {
  const { directory, open } = await fixture(t, 1);
  const history = await open();
  for (const time of [5n, 2n, 7n]) {
    history.append(event(time));
    await history.flush();
  }
  t.deepEqual(await times(history), [2n, 7n]);
  await appendFile(path.join(directory, 'events-2.jsonl'), historyLine(event(8n)));
  t.deepEqual(await times(history, 3n), [7n]);
  t.deepEqual(await times(history, 0n, 1n), []);
  t.deepEqual(await times(history, 2n), [2n, 8n, 7n], 'and is read for those of which it has some');
  t.deepEqual(await times(await open(), 3n), [8n, 7n], 'and once by the next daemon');
});

test('a line truncated by a crash is skipped, the lines after it are read', async (t) => {
  const { directory, open } = await fixture(t);
  const history = await open();
  history.append(event(1n));
  history.append(event(2n));
  await history.flush();
  const file = path.join(directory, 'events-1.jsonl');
  await truncate(file, (await readFile(file)).length - 5);
  const next = await open();
  next.append(event(3n));
  t.deepEqual(await times(next), [1n, 3n]);
});

test('a history that consists of a truncated line is empty and can be appended to', async (t) => {
  const { directory, open } = await fixture(t);
  await appendFile(path.join(directory, 'events-1.jsonl'), '{"type":"contai');
  const history = await open();
  t.deepEqual(await times(history), []);
  history.append(event(1n));
  t.deepEqual(await times(history), [1n]);
});

test('old segments are deleted, and the newest are read in order', async (t) => {
  const { directory, open } = await fixture(t, 1);
  const history = await open();
  for (const time of [1n, 2n, 3n, 4n]) {
    history.append(event(time));
    await history.flush();
  }
  t.deepEqual((await readdir(directory)).sort(), ['events-3.jsonl', 'events-4.jsonl']);
  t.deepEqual(await times(history), [3n, 4n]);
  const next = await open();
  next.append(event(5n));
  await next.flush();
  t.deepEqual(await times(next), [4n, 5n]);
});

test('a failed write is logged, and the next one records how many events were lost', async (t) => {
  const { directory, errors, open } = await fixture(t);
  const history = await open();
  await rm(directory, { recursive: true });
  history.append(event(1n));
  await history.flush();
  t.deepEqual(errors, ['events.write-failed']);
  await mkdir(directory);
  history.append(event(2n));
  await history.flush();
  const kept: string[] = [];
  for await (const { action, actor } of history.read(0n, undefined)) kept.push(`${action} ${actor.attributes.lost}`);
  t.deepEqual(kept, ['events-lost 1', 'start undefined']);
});

test('a full buffer drops the oldest events, and the history records how many', async (t) => {
  const { open } = await fixture(t);
  const history = await open();
  for (let time = 1n; time <= 24_000n; time++) history.append(event(time));
  await history.flush();
  const kept: EngineEvent[] = [];
  for await (const read of history.read(0n, undefined)) kept.push(read);
  const [first, ...others] = kept;
  t.like(first, { action: 'events-lost', actor: { attributes: { lost: String(24_000 - others.length) } } });
  t.true(others.length > 8000 && others.length <= 10_000);
  t.is(others.at(-1)?.timeNano, 24_000n);
});
