import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { gunzipSync, inflateSync } from 'node:zlib';
import { type LogLine, logBatchOf, logContainerOf, openDriver, until } from '@gantry/conformance';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { standInStream, standInUdp } from '@gantry/lib-log/testing';
import test, { type ExecutionContext } from 'ava';
import gelf from './index.js';

const lines: LogLine[] = [
  ['stdout', 'hello "world"'],
  ['stderr', 'oops'],
];

async function openSink(
  t: ExecutionContext,
  options: Record<string, string>,
  change: Partial<LogContainer> = {},
): Promise<LogSink> {
  const opened = await openDriver(gelf);
  t.teardown(() => opened.release());
  opened.driver.validate(options);
  return opened.driver.open(logContainerOf(opened, { ...change, options }));
}

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

for (const [compression, unpack] of [
  ['gzip', gunzipSync],
  ['zlib', inflateSync],
  ['none', (bytes: Buffer) => bytes],
] as const) {
  test(`over UDP each line is a message, compressed with ${compression}`, async (t) => {
    const server = await standInUdp();
    const options = { 'gelf-address': `udp://127.0.0.1:${server.port}`, 'gelf-compression-type': compression };
    const sink = await openSink(
      t,
      { ...options, labels: 'team,id', env: 'STAGE', tag: '{{.Name}}' },
      { labels: { team: 'blue', id: '1' }, env: ['STAGE=test', 'NO=1'] },
    );
    await sink.write(logBatchOf(lines, 'r1'));
    await until('both came', () => server.datagrams.length === 2);
    const [first, second] = server.datagrams.map((datagram) => parse(unpack(datagram).toString()));
    t.deepEqual(first, {
      version: '1.1',
      host: hostname(),
      short_message: 'hello "world"',
      timestamp: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000,
      level: 6,
      _command: 'sh -c echo',
      _container_id: 'c'.repeat(64),
      _container_name: 'nostalgic_heisenberg',
      _created: '2026-01-02T03:04:05.000Z',
      _image_id: `sha256:${'1'.repeat(64)}`,
      _image_name: 'busybox:latest',
      _tag: 'nostalgic_heisenberg',
      _team: 'blue',
      _STAGE: 'test',
    });
    t.like(second, { short_message: 'oops', level: 3 });
    await sink.close();
    await server.close();
  });
}

test('what is larger than a datagram comes in chunks', async (t) => {
  const server = await standInUdp();
  const sink = await openSink(t, {
    'gelf-address': `udp://127.0.0.1:${server.port}`,
    'gelf-compression-level': '9',
  });
  const text = randomBytes(6000).toString('hex');
  await sink.write(logBatchOf([['stdout', text]], 'r1'));
  await until('all came', () => server.datagrams.length > 0 && server.datagrams.length === server.datagrams[0]?.[11]);
  t.true(server.datagrams.length > 3);
  t.true(server.datagrams.every((chunk) => chunk.length <= 1420 && chunk.readUInt16BE() === 0x1e0f));
  t.is(new Set(server.datagrams.map((chunk) => chunk.toString('hex', 2, 10))).size, 1);
  const sorted = [...server.datagrams].sort((one, other) => (one[10] ?? 0) - (other[10] ?? 0));
  const whole = parse(gunzipSync(Buffer.concat(sorted.map((chunk) => chunk.subarray(12)))).toString());
  t.is(whole.short_message, text);
  await sink.close();
  await server.close();
});

test('a message of more than 128 chunks is dropped and reported', async (t) => {
  const server = await standInUdp();
  const sink = await openSink(
    t,
    { 'gelf-address': `udp://127.0.0.1:${server.port}`, 'gelf-compression-type': 'none', labels: 'large' },
    { labels: { large: 'x'.repeat(181_000) } },
  );
  await sink.write(logBatchOf([['stdout', 'a']], 'r1'));
  t.is(sink.dropped, 1);
  await sink.close();
  await server.close();
});

test('over TCP messages end with a zero byte', async (t) => {
  const server = await standInStream();
  const sink = await openSink(t, { 'gelf-address': `tcp://127.0.0.1:${server.port}` });
  await sink.write(logBatchOf([...lines, ['stdout', 'p'.repeat(20_000)]], 'r1'));
  await sink.close();
  const messages = server.bytes().toString().split('\0');
  t.is(messages.pop(), '');
  const parsed = messages.map(parse);
  t.deepEqual(
    parsed.map(({ short_message }) => `${short_message}`.length),
    [13, 4, 16384, 3616],
  );
  t.like(parsed[3], { _partial_ordinal: 2, _partial_last: 'true' });
  await server.close();
});

test('a TCP server that stays away: lines wait, or are given up after so many attempts', async (t) => {
  const server = await standInStream();
  const address = { 'gelf-address': `tcp://127.0.0.1:${server.port}` };
  await server.close();
  const patient = await openSink(t, address);
  const batch = logBatchOf(lines, 'r1');
  for (let attempt = 0; attempt < 5; attempt++) {
    await t.throwsAsync(patient.write(batch), { message: /^gelf: cannot connect to tcp:.*ECONNREFUSED/ });
  }
  t.is(patient.dropped, 0);
  const brief = await openSink(t, { ...address, 'gelf-tcp-max-reconnect': '1', 'gelf-tcp-reconnect-delay': '0' });
  await t.throwsAsync(brief.write(batch));
  await brief.write(batch);
  t.is(brief.dropped, 2);
  const back = await standInStream({ port: server.port });
  await brief.write(logBatchOf([['stdout', 'later']], 'r2'));
  await until('it came', () => back.bytes().includes('later'));
  t.true(back.bytes().includes('[2 lines lost: the log driver did not keep up]'));
  await brief.close();
  await patient.close();
  await back.close();
});

test('UDP lines wait while the host reports the port as unreachable', async (t) => {
  const server = await standInUdp();
  const { port } = server;
  const sink = await openSink(t, { 'gelf-address': `udp://127.0.0.1:${port}`, 'gelf-compression-type': 'none' });
  await server.close();
  const many = logBatchOf(new Array<LogLine>(100).fill(['stdout', 'waits']), 'r1');
  await t.throwsAsync(sink.write(many), { message: /^gelf: cannot send to udp:.*ECONNREFUSED/ });
  const back = await standInUdp(port);
  await sink.write(many);
  await until('they came', () => back.datagrams.length === 100);
  await sink.close();
  await back.close();
  t.pass();
});

test('wrong options for GELF are refused by name and value', async (t) => {
  const { driver, release } = await openDriver(gelf);
  const udp = { 'gelf-address': 'udp://localhost:12201' };
  const tcp = { 'gelf-address': 'tcp://localhost:12201' };
  for (const [options, message] of [
    [{}, /gelf-address is a required parameter/],
    [{ 'gelf-address': 'localhost' }, /gelf-address: "localhost": should be in form proto:\/\/address/],
    [{ 'gelf-address': 'http://localhost:1' }, /gelf-address: "http:\/\/localhost:1": unsupported protocol/],
    [{ ...udp, 'gelf-compression-type': 'lzma' }, /gelf-compression-type: "lzma" is none of: gzip, zlib, none/],
    [{ ...udp, 'gelf-compression-level': '10' }, /gelf-compression-level: "10" is not a whole number from -1 to 9/],
    [{ ...udp, 'gelf-tcp-max-reconnect': '1' }, /gelf-tcp-max-reconnect: "1": only for TCP/],
    [{ ...tcp, 'gelf-compression-type': 'gzip' }, /gelf-compression-type: "gzip": only for UDP/],
    [{ ...tcp, 'gelf-tcp-max-reconnect': 'x' }, /gelf-tcp-max-reconnect: "x"/],
    [{ ...tcp, 'gelf-tcp-reconnect-delay': '-1' }, /gelf-tcp-reconnect-delay: "-1"/],
    [{ ...udp, other: '1' }, /unknown log opt 'other' for gelf log driver/],
  ] as const) {
    t.throws(() => driver.validate(options), { message });
  }
  driver.validate({ ...udp, 'gelf-compression-level': '-1', tag: '{{.ID}}', labels: 'a' });
  await release();
});
