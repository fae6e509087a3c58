import { constants, createReadStream, openSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { LogBatch, LogContainer, LogRecord } from '@gantry/core/contracts';
import { kernelFiles } from '@gantry/lib-linux/files';
import test, { type ExecutionContext } from 'ava';
import { PluginClient } from '../client/plugin-client.js';
import { FakePlugin, type Method } from '../testing/fake-plugin.js';
import { RemoteLogs } from './remote-logs.js';

const container: LogContainer = {
  id: 'c'.repeat(64),
  name: 'web',
  imageId: 'sha256:0',
  imageName: 'busybox',
  command: ['sh', '-c', 'x'],
  createdAt: new Date(0),
  labels: {},
  env: [],
  options: { level: '3' },
  directory: '/nowhere',
};

const record = (line: string, more: Partial<LogRecord> = {}): LogRecord => ({
  stream: 'stdout',
  time: 1_700_000_000_123_456_789n,
  line: Buffer.from(line),
  partial: false,
  ...more,
});

const batch = (...records: readonly LogRecord[]): LogBatch => ({
  spool: Buffer.alloc(0),
  resume: 'r',
  records: () => records,
});

/** A plugin that keeps what it reads, and gives the same bytes back. */
async function start(t: ExecutionContext, methods: Record<string, Method> = {}) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-logs-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const kept: Promise<Buffer>[] = [];
  const plugin = await FakePlugin.start({
    'LogDriver.Capabilities': () => ({ Cap: { ReadLogs: true } }),
    'LogDriver.StartLogging': ({ File }) => void kept.push(buffer(createReadStream(String(File)))),
    'LogDriver.StopLogging': () => ({}),
    'LogDriver.ReadLogs': async () => Buffer.concat(await Promise.all(kept)),
    ...methods,
  });
  t.teardown(() => plugin.stop());
  const placeOf = (name: string) => {
    const file = path.join(directory, 'fifos', name);
    return { hostPath: file, pluginPath: file };
  };
  const logs = new RemoteLogs(new PluginClient('p', plugin, { timeout: 3000 }), placeOf, kernelFiles);
  return { plugin, logs };
}

async function readAll(logs: RemoteLogs, query: { readonly stdout: boolean; readonly stderr: boolean }) {
  const records: LogRecord[] = [];
  for await (const page of logs.read(container, { ...query, follow: false })) records.push(...page.records());
  return records.map(({ line, ...rest }) => ({ ...rest, line: Buffer.from(line).toString() }));
}

test('records pass through the FIFO and are read back unchanged', async (t) => {
  const { logs, plugin } = await start(t);
  await logs.loadCapabilities();
  t.true(logs.capabilities.read);
  const sink = await logs.open(container);
  t.is(logs.uses.length, 1);
  const long = 'x'.repeat(16_384);
  const written = [record('one'), record('two', { stream: 'stderr' }), record(long, { partial: true }), record('')];
  await sink.write(batch(...written));
  await sink.write(batch(...Array.from({ length: 50 }, () => record(long))));
  await sink.close();
  await sink.close();
  t.is(logs.uses.length, 0);
  const [call] = plugin.asked('LogDriver.StartLogging');
  t.like(call?.Info, { ContainerName: '/web', ContainerEntrypoint: 'sh', Config: { level: '3' } });
  await t.throwsAsync(stat(String(call?.File)), { code: 'ENOENT' });
  const all = await readAll(logs, { stdout: true, stderr: true });
  t.is(all.length, 54);
  t.deepEqual(
    all.slice(0, 4),
    written.map(({ line, ...rest }) => ({ ...rest, line: Buffer.from(line).toString() })),
  );
  t.deepEqual(
    (await readAll(logs, { stdout: false, stderr: true })).map(({ line }) => line),
    ['two'],
  );
});

test('a log that the plugin refuses is rejected with its message, and no FIFO is left', async (t) => {
  const { logs, plugin } = await start(t, { 'LogDriver.StartLogging': () => ({ Err: 'bad option level' }) });
  await t.throwsAsync(logs.open(container), { message: 'LogDriver.StartLogging: bad option level' });
  await t.throwsAsync(stat(String(plugin.asked('LogDriver.StartLogging')[0]?.File)), { code: 'ENOENT' });
});

test('a batch that the plugin does not read rejects, and is repeated in a new FIFO', async (t) => {
  let opened = 0;
  const kept: Promise<Buffer>[] = [];
  const { logs } = await start(t, {
    'LogDriver.StartLogging': ({ File }) => {
      const stream = createReadStream(String(File));
      if (++opened === 1) stream.once('open', () => stream.destroy());
      else kept.push(buffer(stream));
    },
  });
  const sink = await logs.open(container);
  const again = batch(record('precious'));
  let tries = 0;
  for (; tries < 50; tries++) {
    const failed = await sink.write(again).then(
      () => false,
      () => true,
    );
    if (opened > 1 && !failed) break;
  }
  await sink.close();
  t.true(Buffer.concat(await Promise.all(kept)).includes('precious'));
});

test('entries that a dying plugin had not read are repeated before the next write', async (t) => {
  const opened: Promise<FileHandle>[] = [];
  const kept: Promise<Buffer>[] = [];
  const { logs } = await start(t, {
    'LogDriver.StartLogging': ({ File }) => {
      if (opened.length > 0) kept.push(buffer(createReadStream(String(File))));
      else opened.push(open(String(File), constants.O_RDONLY | constants.O_NONBLOCK));
    },
  });
  const sink = await logs.open(container);
  for (const line of ['unread', 'too']) await sink.write(batch(record(line)));
  await (await opened[0])?.close();
  const next = batch(record('next'));
  await t.throwsAsync(sink.write(next), { message: /stopped reading/ });
  await sink.write(next);
  await sink.close();
  t.regex(Buffer.concat(await Promise.all(kept)).toString('latin1'), /unread[\s\S]*too[\s\S]*next/);
});

test('a plugin that is slow to end a log delays readers of the log, not its closing', async (t) => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { logs, plugin } = await start(t, { 'LogDriver.StopLogging': () => ended });
  const sink = await logs.open(container);
  const unread = await start(t, {
    'LogDriver.StartLogging': ({ File }) => void openSync(String(File), constants.O_RDONLY | constants.O_NONBLOCK),
    'LogDriver.StopLogging': () => ended,
  });
  const hung = await unread.logs.open(container);
  await sink.write(batch(record('last')));
  // More than there is room for.
  const stuck = t.throwsAsync(hung.write(batch(...Array.from({ length: 9 }, () => record('x'.repeat(16_000))))));
  const began = performance.now();
  await Promise.all([sink.close(), hung.close(), stuck]);
  t.true(performance.now() - began < 3000);
  t.is(logs.uses.length, 1);
  const read = readAll(logs, { stdout: true, stderr: true });
  t.deepEqual(plugin.asked('LogDriver.ReadLogs'), []);
  end();
  t.deepEqual(
    (await read).map(({ line }) => line),
    ['last'],
  );
  t.is(logs.uses.length, 0);
});

test('a corrupted answer is an error', async (t) => {
  const { logs } = await start(t, { 'LogDriver.ReadLogs': () => Buffer.from([0, 0, 0, 5, 0x0a, 9, 1, 1, 1]) });
  await t.throwsAsync(readAll(logs, { stdout: true, stderr: true }), { message: /corrupted/ });
});
