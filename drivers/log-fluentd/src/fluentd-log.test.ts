import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogLine, logBatchOf, logContainerOf, openDriver, until } from '@gantry/conformance';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { standInStream } from '@gantry/lib-log/testing';
import { decodeMulti, ExtData, encode } from '@msgpack/msgpack';
import test, { type ExecutionContext } from 'ava';
import fluentd from './index.js';

const lines: LogLine[] = [
  ['stdout', 'hello world'],
  ['stderr', 'oops'],
];

type Event = readonly [time: unknown, record: Record<string, string>];
type Forward = readonly [tag: string, events: Event[], option: { size: number; chunk?: string }];

const forwards = (bytes: Buffer): Forward[] => [...decodeMulti(bytes)] as Forward[];

async function openSink(
  t: ExecutionContext,
  options: Record<string, string>,
  change: Partial<LogContainer> = {},
): Promise<LogSink> {
  const opened = await openDriver(fluentd);
  t.teardown(() => opened.release());
  opened.driver.validate(options);
  return opened.driver.open(logContainerOf(opened, { ...change, options }));
}

test('lines are events of the forward protocol', async (t) => {
  const server = await standInStream();
  const options = { 'fluentd-address': `tcp://127.0.0.1:${server.port}`, labels: 'team', tag: 'app.{{.Name}}' };
  const sink = await openSink(t, options, { labels: { team: 'blue' } });
  await sink.write(logBatchOf([...lines, ['stdout', 'p'.repeat(20_000)]], 'r1'));
  await sink.close();
  const [[tag, events, option]] = forwards(server.bytes()) as [Forward];
  t.is(tag, 'app.nostalgic_heisenberg');
  t.deepEqual(option, { size: 4 });
  t.deepEqual(events[0], [
    Date.UTC(2026, 0, 2, 3, 4, 5) / 1000,
    {
      container_id: 'c'.repeat(64),
      container_name: '/nostalgic_heisenberg',
      source: 'stdout',
      log: 'hello world',
      team: 'blue',
    },
  ]);
  t.like(events[1]?.[1], { source: 'stderr', log: 'oops' });
  t.like(events[2]?.[1], { partial_message: 'true', partial_ordinal: '1', partial_last: 'false' });
  t.like(events[3]?.[1], { partial_message: 'true', partial_ordinal: '2', partial_last: 'true' });
  t.is(events[2]?.[1].partial_id, events[3]?.[1].partial_id);
  await server.close();
});

test('times may have nanoseconds', async (t) => {
  const server = await standInStream();
  const options = { 'fluentd-address': `127.0.0.1:${server.port}`, 'fluentd-sub-second-precision': 'true' };
  const sink = await openSink(t, options);
  await sink.write(logBatchOf(lines, 'r1'));
  await sink.close();
  const time = forwards(server.bytes())[0]?.[1][1]?.[0];
  if (!(time instanceof ExtData)) return t.fail('it is no event time');
  t.is(time.type, 0);
  const bytes = Buffer.from(time.data as Uint8Array);
  t.is(bytes.readUInt32BE(0), Date.UTC(2026, 0, 2, 3, 4, 5) / 1000);
  t.is(bytes.readUInt32BE(4), 1_000_001);
  await server.close();
});

test('a server is reached by a Unix socket', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'fluentd-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const server = await standInStream({ path: join(directory, 'socket') });
  const sink = await openSink(t, { 'fluentd-address': `unix://${directory}/socket` });
  await sink.write(logBatchOf(lines, 'r1'));
  await sink.close();
  t.is(forwards(server.bytes())[0]?.[1].length, 2);
  await server.close();
});

test('what is not acknowledged is sent again', async (t) => {
  const received: Forward[] = [];
  const server = await standInStream({
    serve(socket) {
      socket.on('data', (data) => {
        const [forward] = forwards(data as Buffer) as [Forward];
        received.push(forward);
        // The first is taken and the connection lost before the answer.
        if (received.length === 1) socket.destroy();
        else socket.write(encode({ ack: forward[2].chunk }));
      });
    },
  });
  const options = { 'fluentd-address': `127.0.0.1:${server.port}`, 'fluentd-request-ack': 'true' };
  const sink = await openSink(t, { ...options, 'fluentd-retry-wait': '1ms' });
  const batch = logBatchOf(lines, 'r1');
  const first = sink.write(batch);
  await until('the first came', () => received.length === 1);
  await t.throwsAsync(first, { message: /does not acknowledge/ });
  await sink.write(batch);
  t.deepEqual(
    received.map(([, events]) => events.length),
    [2, 2],
  );
  t.truthy(received[0]?.[2].chunk);
  await sink.close();
  await server.close();
});

test('records beyond the buffer limit go in several messages', async (t) => {
  const server = await standInStream();
  const options = { 'fluentd-address': `127.0.0.1:${server.port}`, 'fluentd-buffer-limit': '1k' };
  const sink = await openSink(t, options);
  await sink.write(logBatchOf(new Array<LogLine>(10).fill(['stdout', 'x'.repeat(400)]), 'r1'));
  await sink.close();
  t.deepEqual(
    forwards(server.bytes()).map(([, events]) => events.length),
    [2, 2, 2, 2, 2],
  );
  await server.close();
});

test('a server that stays away: lines wait, or are given up after so many retries', async (t) => {
  const server = await standInStream();
  const address = { 'fluentd-address': `127.0.0.1:${server.port}`, 'fluentd-retry-wait': '5' };
  await server.close();
  const sink = await openSink(t, { ...address, 'fluentd-max-retries': '2', 'fluentd-async-connect': 'true' });
  const batch = logBatchOf(lines, 'r1');
  await t.throwsAsync(sink.write(batch), { message: /^fluentd: cannot connect to tcp:.*ECONNREFUSED/ });
  await t.throwsAsync(sink.write(batch));
  await sink.write(batch);
  t.is(sink.dropped, 2);
  const back = await standInStream({ port: server.port });
  await sink.write(logBatchOf([['stdout', 'later']], 'r2'));
  await sink.close();
  t.deepEqual(
    forwards(back.bytes()).flatMap(([, events]) => events.map(([, { log }]) => log)),
    ['[2 lines lost: the log driver did not keep up]', 'later'],
  );
  await back.close();
});

test('wrong options for Fluentd are refused by name and value', async (t) => {
  const { driver, release } = await openDriver(fluentd);
  for (const [options, message] of [
    [{ 'fluentd-address': 'udp://localhost' }, /fluentd-address: "udp:\/\/localhost": unsupported protocol/],
    [{ 'fluentd-address': 'localhost:0' }, /fluentd-address: "localhost:0": invalid port/],
    [{ 'fluentd-address': 'unix://' }, /fluentd-address: "unix:\/\/": a socket needs an absolute path/],
    [{ 'fluentd-address': 'localhost:24224/path' }, /fluentd-address/],
    [{ 'fluentd-async-connect': 'maybe' }, /fluentd-async-connect: "maybe"/],
    [{ 'fluentd-async': 'true', 'fluentd-async-connect': 'true' }, /cannot specify both fluentd-async and/],
    [{ 'fluentd-buffer-limit': 'x' }, /fluentd-buffer-limit: invalid size: 'x'/],
    [{ 'fluentd-retry-wait': 'soon' }, /fluentd-retry-wait: "soon" is not a duration/],
    [{ 'fluentd-max-retries': '-1' }, /fluentd-max-retries: "-1"/],
    [{ 'fluentd-sub-second-precision': '2' }, /fluentd-sub-second-precision: "2"/],
    [{ 'fluentd-request-ack': 'x' }, /fluentd-request-ack: "x"/],
    [{ 'fluentd-nonsense': '1' }, /unknown log opt 'fluentd-nonsense' for fluentd log driver/],
  ] as const) {
    t.throws(() => driver.validate(options), { message });
  }
  for (const address of ['localhost', 'localhost:24224', ':24225', 'tcp://[::1]:1', 'tls://host', 'unix:///a']) {
    t.notThrows(() => driver.validate({ 'fluentd-address': address }));
  }
  driver.validate({ 'fluentd-async': 'true', 'fluentd-buffer-limit': '8388608', 'fluentd-retry-wait': '1s500ms' });
  await release();
});
