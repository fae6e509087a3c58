import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogLine, logBatchOf, logContainerOf, openDriver, until } from '@gantry/conformance';
import type { LogSink } from '@gantry/core/contracts';
import { selfSigned, standInStream, standInUdp } from '@gantry/lib-log/testing';
import test, { type ExecutionContext } from 'ava';
import syslog from './index.js';

const lines: LogLine[] = [
  ['stdout', 'hello world'],
  ['stderr', 'oops'],
];

async function openSink(t: ExecutionContext, options: Record<string, string>): Promise<LogSink> {
  const opened = await openDriver(syslog);
  t.teardown(() => opened.release());
  opened.driver.validate(options);
  return opened.driver.open(logContainerOf(opened, { options }));
}

test('each line is a datagram in the format of a host', async (t) => {
  const server = await standInUdp();
  const sink = await openSink(t, { 'syslog-address': `udp://127.0.0.1:${server.port}`, tag: '{{.Name}}' });
  await sink.write(logBatchOf(lines, 'r1'));
  await until('both came', () => server.datagrams.length === 2);
  t.regex(`${server.datagrams[0]}`, /^<30>Jan {2}[12] \d\d:\d\d:05 nostalgic_heisenberg\[\d+\]: hello world$/);
  t.regex(`${server.datagrams[1]}`, /^<27>Jan .*: oops$/);
  await sink.close();
  await server.close();
});

for (const [format, pattern] of [
  ['rfc3164', `^<134>Jan  [12] \\d\\d:\\d\\d:05 ${hostname()} c{12}\\[${process.pid}\\]: hello world\n<131>`],
  [
    'rfc5424',
    `^<134>1 2026-01-0\\dT\\d\\d:\\d\\d:05(Z|[+-]\\d\\d:\\d\\d) ${hostname()} c{12} ${process.pid} c{12} - hello`,
  ],
  ['rfc5424micro', '^<134>1 2026-01-0\\dT\\d\\d:\\d\\d:05\\.000000(Z|[+-]\\d\\d:\\d\\d) '],
] as const) {
  test(`over TCP, ${format} ends each line`, async (t) => {
    const server = await standInStream();
    const address = `tcp://127.0.0.1:${server.port}`;
    const sink = await openSink(t, {
      'syslog-address': address,
      'syslog-format': format,
      'syslog-facility': 'local0',
    });
    await sink.write(logBatchOf(lines, 'r1'));
    await sink.close();
    t.regex(server.bytes().toString(), new RegExp(pattern));
    t.is(server.bytes().toString().split('\n').length, 3);
    await server.close();
  });
}

test('over TLS the server is verified, and RFC 5424 lines are counted', async (t) => {
  const certificate = selfSigned();
  t.teardown(() => certificate.remove());
  const server = await standInStream({ certificate });
  const address = { 'syslog-address': `tcp+tls://localhost:${server.port}`, 'syslog-format': 'rfc5424' };
  const distrustful = await openSink(t, address);
  await t.throwsAsync(distrustful.write(logBatchOf(lines, 'r1')), { message: /self.signed certificate/ });
  await distrustful.close();
  for (const options of [
    { 'syslog-tls-skip-verify': 'true' },
    { 'syslog-tls-ca-cert': certificate.certificateFile },
    {
      'syslog-tls-ca-cert': certificate.certificateFile,
      'syslog-tls-cert': certificate.certificateFile,
      'syslog-tls-key': certificate.keyFile,
    },
  ]) {
    const before = server.bytes().length;
    const sink = await openSink(t, { ...address, ...options });
    await sink.write(logBatchOf(lines, 'r1'));
    await until('all came', () => server.bytes().toString('utf8', before).endsWith('oops'));
    const [, count = '', rest = ''] = /^(\d+) (.*)$/s.exec(server.bytes().toString('utf8', before)) ?? [];
    t.regex(rest.slice(0, Number(count)), /^<30>1 .* - hello world$/);
    await sink.close();
  }
  const missing = await openSink(t, { ...address, 'syslog-tls-ca-cert': '/nowhere/ca.pem' });
  await t.throwsAsync(missing.write(logBatchOf(lines, 'r1')), { message: /syslog-tls-ca-cert.*\/nowhere\/ca.pem/ });
  await missing.close();
  await server.close();
});

test('a Unix socket may be one for streams or for datagrams', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'syslog-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const server = await standInStream({ path: join(directory, 'stream') });
  const stream = await openSink(t, { 'syslog-address': `unix://${directory}/stream` });
  await stream.write(logBatchOf(lines, 'r1'));
  await stream.close();
  t.regex(server.bytes().toString(), /hello world\n.*oops\n$/s);
  await server.close();

  const script = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print('ready', flush=True)
for _ in range(4): print(s.recv(65536).decode(), flush=True)`;
  const child = spawn('python3', ['-c', script, join(directory, 'datagram')], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  for (const scheme of ['unix', 'unixgram']) {
    const sink = await openSink(t, { 'syslog-address': `${scheme}://${directory}/datagram` });
    await sink.write(logBatchOf(lines, 'r1'));
    await sink.close();
  }
  await ended;
  t.regex(output, /^ready\n(<30>[^\n]*hello world\n<27>[^\n]*oops\n){2}$/);
});

test('a server that comes back gets what waited', async (t) => {
  const first = await standInStream();
  const { port } = first;
  const sink = await openSink(t, { 'syslog-address': `tcp://127.0.0.1:${port}` });
  await sink.write(logBatchOf([['stdout', 'one']], 'r1'));
  await until('it came', () => first.bytes().toString().endsWith('one\n'));
  await first.close();
  const batch = logBatchOf([['stdout', 'two']], 'r2');
  await t.throwsAsync(
    (async () => {
      // The first may still go into a connection whose end has not been heard of.
      for (;;) await sink.write(batch);
    })(),
    { message: /syslog: cannot (connect|write) to tcp:/ },
  );
  const second = await standInStream({ port });
  await sink.write(batch);
  await until('it came', () => second.bytes().toString().endsWith('two\n'));
  await sink.close();
  await second.close();
});

test('a server that does not read blocks no writer for long', async (t) => {
  let isConnected = false;
  const server = await standInStream({
    serve(socket) {
      socket.pause();
      isConnected = true;
    },
  });
  t.teardown(() => server.close());
  const sink = await openSink(t, { 'syslog-address': `tcp://127.0.0.1:${server.port}` });
  const line: LogLine = ['stdout', 'x'.repeat(16_000)];
  const write = sink.write(logBatchOf(new Array<LogLine>(2000).fill(line), 'r1'));
  // The end comes while it waits for the server, or between two pieces that the kernel still took.
  const rejected = t.throwsAsync(write, { message: /it does not read|the log is closed/ });
  await until('it has connected', () => isConnected);
  await sink.close(); // gives the server up by itself: it will never read
  await rejected;
});

test('wrong options are refused by name and value', async (t) => {
  const { driver, release } = await openDriver(syslog);
  for (const [options, message] of [
    [{ 'syslog-address': 'localhost:514' }, /syslog-address: "localhost:514": should be in form proto:\/\/address/],
    [{ 'syslog-address': 'http://localhost' }, /syslog-address: "http:\/\/localhost": unsupported protocol/],
    [{ 'syslog-address': 'tcp://localhost:99999' }, /invalid port/],
    [{ 'syslog-address': 'unix://relative' }, /syslog-address: "unix:\/\/relative": a socket needs an absolute path/],
    [{ 'syslog-facility': 'nonsense' }, /syslog-facility: "nonsense": invalid syslog facility/],
    [{ 'syslog-facility': '24' }, /syslog-facility: "24"/],
    [{ 'syslog-format': 'rfc1' }, /syslog-format: "rfc1" is none of/],
    [{ 'syslog-tls-skip-verify': 'perhaps' }, /syslog-tls-skip-verify: "perhaps"/],
    [{ 'gelf-address': 'x' }, /unknown log opt 'gelf-address' for syslog log driver/],
    [{ tag: '{{.Nothing}}' }, /log opt tag: can't evaluate ".Nothing"/],
  ] as const) {
    t.throws(() => driver.validate(options), { message });
  }
  driver.validate({ 'syslog-address': 'udp://logs.example.com', 'syslog-facility': '16', labels: 'a', env: 'B' });
  driver.validate({ 'syslog-address': 'tcp+tls://[::1]:6514', 'syslog-format': '' });
  await release();
});
