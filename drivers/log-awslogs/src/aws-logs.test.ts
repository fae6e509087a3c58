import { type LogLine, logBatchOf, logContainerOf, openDriver, until } from '@gantry/conformance';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { standInHttp } from '@gantry/lib-log/testing';
import test, { type ExecutionContext } from 'ava';
import awslogs from './index.js';
import { accessKey, type CloudWatchStandIn, standInCloudWatch } from './testing/cloud-watch-stand-in.js';

process.env.AWS_ACCESS_KEY_ID = accessKey.id;
process.env.AWS_SECRET_ACCESS_KEY = accessKey.secret;

const id = 'c'.repeat(64);
const lines: LogLine[] = [
  ['stdout', 'hello'],
  ['stdout', ''],
  ['stderr', 'oops'],
];
const out = (text: string): LogLine => ['stdout', text];
const unhurried = { 'awslogs-force-flush-interval-seconds': '600' };

async function setUp(
  t: ExecutionContext,
  options: Record<string, string> = {},
): Promise<{ server: CloudWatchStandIn; sink: LogSink; again(): Promise<LogSink> }> {
  const server = await standInCloudWatch();
  t.teardown(() => server.close());
  const opened = await openDriver(awslogs);
  t.teardown(() => opened.release());
  const all = {
    'awslogs-region': 'eu-central-1',
    'awslogs-endpoint': `http://127.0.0.1:${server.port}`,
    'awslogs-group': 'group',
    ...options,
  };
  opened.driver.validate(all);
  const container: LogContainer = logContainerOf(opened, { options: all });
  return { server, sink: await opened.driver.open(container), again: async () => opened.driver.open(container) };
}

test('lines are events of a stream with the name of the container', async (t) => {
  const { server, sink } = await setUp(t);
  server.groups.add('group');
  await sink.write(logBatchOf(lines, 'r1'));
  t.deepEqual(server.actions, ['CreateLogStream', 'PutLogEvents']);
  const start = Date.UTC(2026, 0, 2, 3, 4, 5);
  t.deepEqual(server.streams.get(`group/${id}`), [
    [
      { timestamp: start, message: 'hello' },
      { timestamp: start + 2, message: 'oops' },
    ],
  ]);
  await sink.close();
});

test('a group is made only when that is asked for', async (t) => {
  const without = await setUp(t);
  await t.throwsAsync(without.sink.write(logBatchOf(lines, 'r1')), { message: /^awslogs: ResourceNotFoundException/ });
  await without.sink.close();
  const { server, sink } = await setUp(t, { 'awslogs-create-group': 'true', tag: '{{.Name}}:{{.ID}}' });
  await sink.write(logBatchOf(lines, 'r1'));
  t.deepEqual([...server.streams.keys()], ['group/nostalgic_heisenberg_cccccccccccc']);
  await sink.close();
});

test('a stream that is not to be made must be there', async (t) => {
  const { server, sink } = await setUp(t, { 'awslogs-create-stream': 'false', 'awslogs-stream': 'mine' });
  server.groups.add('group');
  await t.throwsAsync(sink.write(logBatchOf(lines, 'r1')), { message: /ResourceNotFoundException/ });
  t.deepEqual(server.actions, ['PutLogEvents']);
  await sink.close();
});

test('sequence tokens are kept, and learnt anew', async (t) => {
  const { server, sink, again } = await setUp(t, { 'awslogs-create-group': 'true' });
  server.wantsTokens = true;
  await sink.write(logBatchOf([out('1')], 'r1'));
  await sink.write(logBatchOf([out('2')], 'r2', 1));
  await sink.close();
  const next = await again();
  await next.write(logBatchOf([out('3')], 'r3', 2));
  t.deepEqual(server.messages(`group/${id}`), ['1', '2', '3']);
  await next.close();
});

test('what the service refuses for now comes again, and what it has is not sent again', async (t) => {
  const { server, sink } = await setUp(t, { 'awslogs-create-group': 'true' });
  await sink.write(logBatchOf([out('0')], 'r0'));
  for (const failure of [
    { status: 400, type: 'ThrottlingException' },
    { status: 503, type: 'ServiceUnavailableException' },
    { status: 400, type: 'ExpiredTokenException' },
  ]) {
    server.failures.push(failure);
    const batch = logBatchOf([out(failure.type)], failure.type, 1);
    await t.throwsAsync(sink.write(batch), { message: new RegExp(failure.type) });
    await sink.write(batch);
  }
  server.failures.push({ status: 400, type: 'DataAlreadyAcceptedException' });
  await sink.write(logBatchOf([out('accepted before')], 'r9', 9));
  t.deepEqual(server.messages(`group/${id}`), [
    '0',
    'ThrottlingException',
    'ServiceUnavailableException',
    'ExpiredTokenException',
  ]);
  t.is(sink.dropped, 0);
  await sink.close();
});

test('requests stay within the limits of the service', async (t) => {
  const { server, sink } = await setUp(t, { 'awslogs-create-group': 'true', 'awslogs-max-buffered-events': '100' });
  const many = Array.from({ length: 400 }, (_, index) => out(`${index} ${'é'.repeat(4000)}`));
  await sink.write(logBatchOf(many, 'r1'));
  const requests = server.streams.get(`group/${id}`) ?? [];
  t.is(requests.flat().length, 400);
  t.true(requests.every((request) => request.length <= 100));
  await sink.close();
});

test('what the service will never take is given up, and nothing else', async (t) => {
  const { server, sink } = await setUp(t, { 'awslogs-create-group': 'true' });
  await sink.write(logBatchOf([out('1'), out('poison'), out('2'), out('3')], 'r1'));
  t.is(sink.dropped, 1);
  t.deepEqual(server.messages(`group/${id}`), ['1', '2', '3']);
  server.rejected = { tooOldLogEventEndIndex: 2, tooNewLogEventStartIndex: 4 };
  await sink.write(logBatchOf([out('a'), out('b'), out('c')], 'r2', 9));
  t.is(sink.dropped, 3);
  t.true(server.messages(`group/${id}`).includes('[1 lines lost: the log driver did not keep up]'));
  await sink.close();
});

for (const [option, value] of [
  ['awslogs-multiline-pattern', '^\\d{4}-'],
  ['awslogs-datetime-format', '%Y-%m-%d'],
] as const) {
  test(`with ${option}, lines become one event until the next begins`, async (t) => {
    const { server, sink, again } = await setUp(t, { 'awslogs-create-group': 'true', [option]: value, ...unhurried });
    await sink.write(logBatchOf([out('2026-01-02 one'), out('  at a'), out('  at b'), out('2026-01-03 two')], 'r1'));
    t.deepEqual(server.messages(`group/${id}`), ['2026-01-02 one\n  at a\n  at b']);
    // As after a crash: what was held back is known to the next.
    const next = await again();
    await next.write(logBatchOf([out('  at c'), out('2026-01-04 three')], 'r2', 10));
    await next.close();
    t.deepEqual(server.messages(`group/${id}`).slice(1), ['2026-01-03 two\n  at c', '2026-01-04 three']);
  });
}

test('an event waits for more lines no longer than configured', async (t) => {
  const options = { 'awslogs-multiline-pattern': '^x', 'awslogs-force-flush-interval-seconds': '1' };
  const { server, sink } = await setUp(t, { 'awslogs-create-group': 'true', ...options });
  await sink.write(logBatchOf([out('x'), out('y')], 'r1'));
  t.deepEqual(server.messages(`group/${id}`), []);
  await until('it is sent', () => server.messages(`group/${id}`).length === 1);
  await sink.close();
  t.deepEqual(server.messages(`group/${id}`), ['x\ny']);
});

test('credentials come from an endpoint that the options name', async (t) => {
  const asked: unknown[] = [];
  const endpoint = await standInHttp((request, _body, response) => {
    asked.push(request.url);
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    const content = { AccessKeyId: accessKey.id, SecretAccessKey: accessKey.secret, Token: 'session', Expiration };
    response.end(JSON.stringify(content));
  });
  t.teardown(() => endpoint.close());
  const server = await standInCloudWatch();
  t.teardown(() => server.close());
  server.groups.add('group');
  const opened = await openDriver(awslogs, {
    config: { containerCredentials: `http://127.0.0.1:${endpoint.port}`, metadata: '', region: 'us-east-1' },
  });
  t.teardown(() => opened.release());
  const options = {
    'awslogs-endpoint': `127.0.0.1:${server.port}`.replace(/^/, 'http://'),
    'awslogs-group': 'group',
    'awslogs-credentials-endpoint': '/v2/credentials/1',
    'awslogs-format': 'json/emf',
  };
  const sink = await opened.driver.open(logContainerOf(opened, { options }));
  await sink.write(logBatchOf(lines, 'r1'));
  t.deepEqual(asked, ['/v2/credentials/1']);
  t.is(server.headers[0]?.['x-amz-security-token'], 'session');
  t.is(server.headers[0]?.['x-amzn-logs-format'], 'json/emf');
  t.is(server.messages(`group/${id}`).length, 2);
  await sink.close();
});

test('wrong options are refused by name and value', async (t) => {
  const { driver, release } = await openDriver(awslogs);
  const needed = { 'awslogs-group': 'g', 'awslogs-region': 'eu-central-1' };
  for (const [options, message] of [
    [{ 'awslogs-region': 'eu-central-1' }, /must specify a value for log opt awslogs-group/],
    [{ ...needed, 'awslogs-region': 'EU Central' }, /awslogs-region: "EU Central"/],
    [{ ...needed, 'awslogs-create-group': 'x' }, /awslogs-create-group: "x"/],
    [{ ...needed, 'awslogs-create-stream': 'x' }, /awslogs-create-stream: "x"/],
    [{ ...needed, 'awslogs-multiline-pattern': '(' }, /awslogs-multiline-pattern: error parsing regexp/],
    [{ ...needed, 'awslogs-datetime-format': '%Q' }, /awslogs-datetime-format: "%Q": unknown code %Q/],
    [
      { ...needed, 'awslogs-datetime-format': '%Y', 'awslogs-multiline-pattern': 'x' },
      /cannot configure log opt 'awslogs-datetime-format' and 'awslogs-multiline-pattern' at the same time/,
    ],
    [{ ...needed, 'awslogs-force-flush-interval-seconds': '0' }, /awslogs-force-flush-interval-seconds: "0"/],
    [{ ...needed, 'awslogs-max-buffered-events': '-1' }, /awslogs-max-buffered-events: "-1"/],
    [{ ...needed, 'awslogs-credentials-endpoint': 'x' }, /awslogs-credentials-endpoint: "x"/],
    [{ ...needed, 'awslogs-endpoint': 'http://' }, /awslogs-endpoint: "http:\/\/" is not a URL/],
    [{ ...needed, labels: 'a' }, /unknown log opt 'labels' for awslogs log driver/],
  ] as const) {
    t.throws(() => driver.validate(options), { message });
  }
  driver.validate({ ...needed, 'awslogs-datetime-format': '[%b %d, %Y %H:%M:%S]', tag: '{{.Name}}' });
  await release();
});
