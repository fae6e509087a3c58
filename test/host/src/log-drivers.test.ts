import { setTimeout as delay } from 'node:timers/promises';
import { standInStream } from '@gantry/lib-log/testing';
import { testJournal } from '@gantry/log-journald/testing';
import { eventually, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { fileDaemon } from './testing/file-daemon.js';

const daemonOfFile = fileDaemon();

interface Logging {
  readonly name: string;
  readonly script: string;
  readonly driver: string;
  readonly options?: Readonly<Record<string, string>>;
}

const containerOf = (client: Docker, { name, script, driver, options = {} }: Logging) =>
  client.createContainer({
    name,
    Image: 'busybox',
    Cmd: ['sh', '-c', script],
    Labels: { team: 'blue' },
    HostConfig: { NetworkMode: 'none', LogConfig: { Type: driver, Config: options } },
  });

async function logsOf(container: Docker.Container): Promise<string> {
  const bytes = (await container.logs({ stdout: true, stderr: true, follow: false })) as unknown as Buffer;
  let text = '';
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
    text += bytes.toString('utf8', at + 8, at + 8 + bytes.readUInt32BE(at + 4));
  }
  return text;
}

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `${index}\n`).join('');

test('a container logs to the systemd journal across a crash of the daemon', async (t) => {
  const journal = await testJournal('host');
  if (journal === undefined) return t.pass('systemd-journald is not installed');
  t.teardown(() => journal.remove());
  const daemon = await startDaemon(t, { drivers: { 'log/journald': { namespace: journal.namespace } } });
  const options = { tag: '{{.Name}}', labels: 'team' };
  const script = 'i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); usleep 5000; done';
  const container = await containerOf(daemon.client, { name: 'journal', script, driver: 'journald', options });
  await container.start();
  while (!(await logsOf(container)).includes('\n20\n')) await delay(10);
  await daemon.crash();
  await daemon.restart();
  await container.wait();
  t.is(await logsOf(container), numbers(300));
  const found = journal.journalctl('-o', 'cat', 'CONTAINER_NAME=journal', 'CONTAINER_TAG=journal', 'TEAM=blue');
  t.deepEqual([...new Set(found.trim().split('\n'))].join('\n'), numbers(300).trim());
});

test('a log server gets the lines, and reading logs is refused', async (t) => {
  const server = await standInStream();
  t.teardown(() => server.close());
  const { client } = daemonOfFile();
  const options = { 'syslog-address': `tcp://127.0.0.1:${server.port}`, tag: '{{.Name}}' };
  const container = await containerOf(client, { name: 'web', script: 'echo served', driver: 'syslog', options });
  await container.start();
  await container.wait();
  while (!server.bytes().includes('\n')) await delay(10);
  t.regex(server.bytes().toString(), /^<30>.* web\[\d+\]: served\n$/);
  await t.throwsAsync(container.logs({ stdout: true }), {
    message: /configured logging driver does not support reading/,
  });
});

test('the last lines of a container removed at once reach the log server', async (t) => {
  const server = await standInStream();
  t.teardown(() => server.close());
  const { client } = daemonOfFile();
  const options = { 'syslog-address': `tcp://127.0.0.1:${server.port}` };
  for (const count of [1, 100, 1000]) {
    const container = await containerOf(client, { name: 'brief', script: `seq ${count}`, driver: 'syslog', options });
    await container.start();
    await container.wait();
    await container.remove();
    await eventually('the last line', () => server.bytes().toString().endsWith(`]: ${count}\n`));
  }
  t.is(server.bytes().toString().match(/\n/g)?.length, 1101);
});

test('an unreachable log server delays nothing, and gets the lines when it is back', async (t) => {
  const away = await standInStream();
  await away.close();
  const { client } = daemonOfFile();
  const options = { 'fluentd-address': `127.0.0.1:${away.port}`, 'fluentd-retry-wait': '10ms' };
  const script = 'seq 50000; echo done >&2';
  const began = performance.now();
  const container = await containerOf(client, { name: 'away', script, driver: 'fluentd', options });
  await container.start();
  await container.wait();
  t.true(performance.now() - began < 10_000);
  const other = await containerOf(client, { name: 'other', script: 'seq 10', driver: 'fluentd', options });
  await other.start();
  await other.wait();
  const before = performance.now();
  await other.remove();
  t.true(performance.now() - before < 2000);
  const server = await standInStream({ port: away.port });
  t.teardown(() => server.close());
  // The two streams are read one beside the other.
  while (!server.bytes().includes('done') || !server.bytes().includes('50000')) await delay(10);
  t.pass();
});

test('invalid options are refused at create', async (t) => {
  const { client } = daemonOfFile();
  for (const [driver, options, message] of [
    ['syslog', { 'syslog-address': 'nowhere' }, /syslog-address: "nowhere"/],
    ['gelf', {}, /gelf-address is a required parameter/],
    ['fluentd', { 'fluentd-retries': '1' }, /unknown log opt 'fluentd-retries' for fluentd log driver/],
    ['splunk', { 'splunk-url': 'https://x' }, /splunk-token is expected/],
    ['awslogs', { 'awslogs-region': 'eu-central-1' }, /awslogs-group/],
    ['etwlogs', {}, /Windows-only/],
  ] as const) {
    await t.throwsAsync(containerOf(client, { name: driver, script: '', driver, options }), { message });
  }
});
