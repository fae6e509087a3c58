import { type LogLine, logBatchOf, logContainerOf, type Opened, openDriver, until } from '@gantry/conformance';
import type { LogContainer, LogDriver, LogQuery } from '@gantry/core/contracts';
import { ProgressFile } from '@gantry/lib-log';
import test, { type ExecutionContext } from 'ava';
import journald from './index.js';
import { type TestJournal, testJournal } from './testing/journal.js';

const journal = await testJournal('log');
test.after.always(() => journal?.remove());

const everything: LogQuery = { stdout: true, stderr: true, follow: false };
const hello: LogLine = ['stdout', 'hello'];

async function textOf(driver: LogDriver, container: LogContainer, query: Partial<LogQuery> = {}): Promise<string> {
  let text = '';
  for await (const page of driver.read?.(container, { ...everything, ...query }) ?? []) {
    for (const { line, partial } of page.records()) text += `${Buffer.from(line)}${partial ? '' : '\n'}`;
  }
  return text;
}

function journalTest(
  title: string,
  body: (t: ExecutionContext, opened: Opened<LogDriver>, journal: TestJournal) => Promise<void>,
): void {
  test.serial(title, async (t) => {
    if (journal === undefined) return t.pass('systemd-journald is not installed');
    const opened = await openDriver(journald, { config: { namespace: journal.namespace } });
    t.teardown(() => opened.release());
    await body(t, opened, journal);
  });
}

journalTest('an entry has the fields that users query by', async (t, opened, { journalctl }) => {
  const container = logContainerOf(opened, {
    id: 'e1'.repeat(32),
    labels: { 'com.example.team': 'blue', _1: 'x', other: 'no' },
    env: ['STAGE=test\nof two lines', 'NO=1'],
    options: { labels: 'com.example.team,_1', env: 'STAGE', tag: '{{.ImageName}}/{{.Name}}' },
  });
  const sink = await opened.driver.open(container);
  await sink.write(logBatchOf([hello, ['stderr', 'oops'], ['stdout', 'x'.repeat(20_000)]], 'r1'));
  await sink.close();
  journalctl('--sync');
  const entries = journalctl('-a', '-o', 'json', `CONTAINER_ID_FULL=${container.id}`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  const [first, second, third, fourth] = entries;
  t.is(entries.length, 4);
  t.like(first, {
    MESSAGE: 'hello',
    PRIORITY: '6',
    CONTAINER_ID: 'e1e1e1e1e1e1',
    CONTAINER_NAME: 'nostalgic_heisenberg',
    CONTAINER_TAG: 'busybox:latest/nostalgic_heisenberg',
    SYSLOG_IDENTIFIER: 'busybox:latest/nostalgic_heisenberg',
    IMAGE_NAME: 'busybox:latest',
    SYSLOG_TIMESTAMP: '2026-01-02T03:04:05.000000001Z',
    COM_EXAMPLE_TEAM: 'blue',
    STAGE: 'test\nof two lines',
  });
  t.false('OTHER' in (first ?? {}) || 'NO' in (first ?? {}));
  t.like(second, { MESSAGE: 'oops', PRIORITY: '3' });
  t.like(third, { CONTAINER_PARTIAL_MESSAGE: 'true', CONTAINER_PARTIAL_ORDINAL: '1', CONTAINER_PARTIAL_LAST: 'false' });
  t.like(fourth, { CONTAINER_PARTIAL_ORDINAL: '2', CONTAINER_PARTIAL_LAST: 'true' });
  t.false('CONTAINER_PARTIAL_MESSAGE' in (fourth ?? {}));
});

journalTest('entries too large for a datagram arrive too', async (t, opened) => {
  const labels = { large: 'l'.repeat(700_000) };
  const container = logContainerOf(opened, { id: 'e2'.repeat(32), labels, options: { labels: 'large' } });
  const sink = await opened.driver.open(container);
  await sink.write(logBatchOf([hello], 'r1'));
  await sink.close();
  t.is(await textOf(opened.driver, container), 'hello\n');
});

journalTest('what was sent twice over a crash is read once', async (t, opened) => {
  const container = logContainerOf(opened, { id: 'e3'.repeat(32) });
  const sink = await opened.driver.open(container);
  await sink.write(logBatchOf([['stdout', '0']], 'r0'));
  const file = new ProgressFile(container, 'journald');
  const before = await file.read();
  await sink.write(logBatchOf([hello, ['stdout', 'two']], 'r1', 1));
  // As if the crash had come after the lines were sent and before that was noted.
  if (before !== undefined) await file.write(before);
  const again = await opened.driver.open(container);
  t.is(await again.resumeAt(), 'r0');
  await again.write(logBatchOf([hello, ['stdout', 'two']], 'r1', 1));
  await again.write(logBatchOf([['stdout', 'three']], 'r2', 3));
  t.is(await textOf(opened.driver, container), '0\nhello\ntwo\nthree\n');
  t.is(await textOf(opened.driver, container, { tail: 2 }), 'two\nthree\n');
  await again.close();
});

journalTest('a journal that is restarted gets what waited', async (t, opened, { stop, start }) => {
  const container = logContainerOf(opened, { id: 'e4'.repeat(32) });
  const sink = await opened.driver.open(container);
  await sink.write(logBatchOf([hello], 'r1'));
  await stop();
  const batch = logBatchOf([['stdout', 'later']], 'r2', 1);
  await t.throwsAsync(sink.write(batch), { message: /^journald: .*E(CONNREFUSED|NOENT|CONNRESET|PIPE)/ });
  await start();
  await sink.write(batch);
  t.is(await textOf(opened.driver, container), 'hello\nlater\n');
  await sink.close();
});

journalTest('following a log that ends leaves no program behind', async (t, opened) => {
  const container = logContainerOf(opened, { id: 'e5'.repeat(32) });
  const sink = await opened.driver.open(container);
  await sink.write(logBatchOf([hello], 'r1'));
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const following = textOf(opened.driver, container, { follow: true, ended, tail: 0 });
  await sink.write(logBatchOf([['stdout', 'new']], 'r2', 1));
  await until('something may have been read', () => true);
  end();
  t.regex(await following, /^(new\n)?$/);
  await sink.close();
});

test('wrong options are refused by name', async (t) => {
  if (journal === undefined) return t.pass('systemd-journald is not installed');
  const { driver, release } = await openDriver(journald, { config: { namespace: journal.namespace } });
  t.throws(() => driver.validate({ 'max-size': '1m' }), {
    message: "unknown log opt 'max-size' for journald log driver",
  });
  t.throws(() => driver.validate({ 'labels-regex': '(' }), { message: /log opt labels-regex: error parsing regexp/ });
  t.notThrows(() => driver.validate({ tag: '{{.Name}}', labels: 'a', env: 'B', 'env-regex': '^C', mode: 'blocking' }));
  await release();
});

test('a host without a journal has no such driver', async (t) => {
  await t.throwsAsync(openDriver(journald, { config: { namespace: 'gantry-nowhere' } }), {
    message: /^journald is not enabled on this host: there is no .*gantry-nowhere/,
  });
});
