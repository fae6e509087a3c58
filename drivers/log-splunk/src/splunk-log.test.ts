import { hostname } from 'node:os';
import { type LogLine, logBatchOf, logContainerOf, openDriver } from '@gantry/conformance';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { selfSigned } from '@gantry/lib-log/testing';
import test, { type ExecutionContext } from 'ava';
import splunk from './index.js';
import { type Collector, standInCollector } from './testing/collector.js';

const lines: LogLine[] = [
  ['stdout', 'hello'],
  ['stderr', '{"level":"warn","n":[1]}'],
  ['stdout', ' '],
];

async function openSink(
  t: ExecutionContext,
  collector: Collector,
  options: Record<string, string> = {},
  change: Partial<LogContainer> = {},
): Promise<LogSink> {
  const opened = await openDriver(splunk);
  t.teardown(() => opened.release());
  const all = { 'splunk-url': `http://127.0.0.1:${collector.port}`, 'splunk-token': 't0ken', ...options };
  opened.driver.validate(all);
  return opened.driver.open(logContainerOf(opened, { ...change, options: all }));
}

async function eventsWith(t: ExecutionContext, options: Record<string, string>, change: Partial<LogContainer> = {}) {
  const collector = await standInCollector();
  const sink = await openSink(t, collector, options, change);
  await sink.write(logBatchOf(lines, 'r1'));
  await sink.close();
  await collector.close();
  return { ...collector, events: collector.requests.flatMap(({ events }) => events) };
}

const blue: Partial<LogContainer> = { labels: { team: 'blue' }, env: ['STAGE=test'] };

test('inline, lines are texts with a description', async (t) => {
  const options = {
    'splunk-source': 's',
    'splunk-sourcetype': 'st',
    'splunk-index': 'i',
    labels: 'team',
    env: 'STAGE',
  };
  const { events, verifications, requests } = await eventsWith(t, options, blue);
  t.is(verifications, 1);
  t.is(requests.length, 1);
  t.deepEqual(events[0], {
    time: `${Date.UTC(2026, 0, 2, 3, 4, 5) / 1000}.000000`,
    host: hostname(),
    source: 's',
    sourcetype: 'st',
    index: 'i',
    event: { line: 'hello', source: 'stdout', tag: 'cccccccccccc', attrs: { team: 'blue', STAGE: 'test' } },
  });
  t.like(events[1], { event: { line: '{"level":"warn","n":[1]}', source: 'stderr' } });
  t.is(events.length, 3);
});

test('as JSON, lines that are JSON are values', async (t) => {
  const { events, requests } = await eventsWith(t, { 'splunk-format': 'json', tag: '', 'splunk-gzip': 'true' });
  t.is(requests[0]?.headers['content-encoding'], 'gzip');
  t.deepEqual(events[0]?.event, { line: 'hello', source: 'stdout' });
  t.deepEqual(events[1]?.event, { line: { level: 'warn', n: [1] }, source: 'stderr' });
});

test('raw, lines have tag and attributes in front, and empty ones are left out', async (t) => {
  const { events } = await eventsWith(t, { 'splunk-format': 'raw', tag: '{{.Name}}', labels: 'team' }, blue);
  t.deepEqual(
    events.map(({ event }) => event),
    ['nostalgic_heisenberg team=blue hello', 'nostalgic_heisenberg team=blue {"level":"warn","n":[1]}'],
  );
});

test('the connection is not checked when verification is off', async (t) => {
  const { verifications, events } = await eventsWith(t, { 'splunk-verify-connection': 'false' });
  t.is(verifications, 0);
  t.is(events.length, 3);
});

test('over TLS the server is verified', async (t) => {
  const certificate = selfSigned();
  t.teardown(() => certificate.remove());
  const collector = await standInCollector({ certificate });
  const url = { 'splunk-url': `https://127.0.0.1:${collector.port}` };
  const distrustful = await openSink(t, collector, url);
  await t.throwsAsync(distrustful.write(logBatchOf(lines, 'r1')), { message: /splunk: no answer.*self.signed/ });
  await distrustful.close();
  for (const options of [
    { 'splunk-insecureskipverify': 'true' },
    { 'splunk-capath': certificate.certificateFile, 'splunk-caname': 'localhost' },
  ]) {
    const sink = await openSink(t, collector, { ...url, ...options });
    await sink.write(logBatchOf(lines, 'r1'));
    await sink.close();
  }
  t.is(collector.requests.length, 2);
  await collector.close();
});

test('what the server refuses for now comes again', async (t) => {
  const collector = await standInCollector();
  const sink = await openSink(t, collector);
  const batch = logBatchOf(lines, 'r1');
  for (const status of [503, 429, 401]) {
    collector.judge = () => status;
    await t.throwsAsync(sink.write(batch), { message: new RegExp(`^splunk: failed to send event - ${status}`) });
  }
  collector.judge = () => 400;
  collector.code = 7;
  await t.throwsAsync(sink.write(batch), { message: /400/ });
  collector.judge = () => 200;
  await sink.write(batch);
  t.is(collector.requests.flatMap(({ events }) => events).length, 3);
  t.is(sink.dropped, 0);
  await sink.close();
  await collector.close();
});

test('what the server will never take is given up, and nothing else', async (t) => {
  const collector = await standInCollector();
  collector.judge = (text) => (text.includes('poison') ? 400 : text.length > 5000 ? 413 : 200);
  const sink = await openSink(t, collector);
  const many = Array.from({ length: 100 }, (_, index): LogLine => ['stdout', index === 42 ? 'poison' : `${index}`]);
  await sink.write(logBatchOf(many, 'r1'));
  t.is(sink.dropped, 1);
  t.is(collector.requests.flatMap(({ events }) => events).length, 99);
  await sink.close();
  await collector.close();
});

test('wrong options for Splunk are refused by name and value', async (t) => {
  const { driver, release } = await openDriver(splunk);
  const needed = { 'splunk-url': 'https://localhost:8088', 'splunk-token': 'x' };
  for (const [options, message] of [
    [{ 'splunk-token': 'x' }, /splunk-url is expected/],
    [{ 'splunk-url': 'https://localhost' }, /splunk-token is expected/],
    [{ ...needed, 'splunk-url': 'localhost:8088' }, /splunk-url: "localhost:8088": expected format scheme:\/\//],
    [{ ...needed, 'splunk-url': 'https://a/path' }, /splunk-url: "https:\/\/a\/path": expected format/],
    [{ ...needed, 'splunk-format': 'xml' }, /splunk-format: "xml" is none of: inline, json, raw/],
    [{ ...needed, 'splunk-gzip': 'x' }, /splunk-gzip: "x"/],
    [{ ...needed, 'splunk-gzip-level': '10' }, /splunk-gzip-level: "10" is not a whole number from -1 to 9/],
    [{ ...needed, 'splunk-verify-connection': 'x' }, /splunk-verify-connection: "x"/],
    [{ ...needed, 'splunk-insecureskipverify': 'x' }, /splunk-insecureskipverify: "x"/],
    [{ ...needed, nonsense: '1' }, /unknown log opt 'nonsense' for splunk log driver/],
  ] as const) {
    t.throws(() => driver.validate(options), { message });
  }
  t.throws(() => driver.validate({ ...needed, 'splunk-token': 'se cret' }), { message: /^(?!.*se cret)/ });
  driver.validate({ ...needed, 'splunk-gzip-level': '9', tag: '', labels: 'a' });
  await release();
});
