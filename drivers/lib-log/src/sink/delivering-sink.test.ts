import { mkdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import type { LogBatch, LogContainer, LogRecord } from '@gantry/core/contracts';
import test, { type ExecutionContext } from 'ava';
import { plainContainer } from '../testing/plain-container.js';
import { DeliveringSink } from './delivering-sink.js';
import type { LogMessage } from './message.js';
import type { Outlet } from './outlet.js';

async function container(t: ExecutionContext): Promise<LogContainer> {
  const directory = await freshDirectory();
  t.teardown(() => removeDirectory(directory));
  mkdirSync(directory, { recursive: true });
  return plainContainer(directory);
}

function batch(resume: string, ...texts: string[]): LogBatch {
  const records = texts.map((text): LogRecord => {
    const partial = text.endsWith('…');
    return { stream: 'stdout', time: 5n, line: Buffer.from(partial ? text.slice(0, -1) : text), partial };
  });
  return { spool: Buffer.alloc(0), resume, records: () => records };
}

class Server implements Outlet {
  readonly lines: string[] = [];
  readonly messages: LogMessage[] = [];
  failures = 0;
  hangs = false;

  async send(messages: readonly LogMessage[], { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
    if (this.hangs) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    if (this.failures > 0) {
      this.failures--;
      throw new Error('refused');
    }
    this.messages.push(...messages);
    this.lines.push(...messages.map(({ line, partial }) => `${line}${partial ? '…' : ''}`));
  }

  async close(): Promise<void> {}
}

test('what could not be sent comes again, once, and goes on where it stopped', async (t) => {
  const server = new Server();
  const sink = await DeliveringSink.open(await container(t), { driver: 'x' }, () => server);
  const many = batch('r1', ...Array.from({ length: 1200 }, (_, index) => `${index}`));
  server.failures = 1;
  await t.throwsAsync(sink.write(many), { message: 'x: refused' });
  t.is(await sink.resumeAt(), undefined);
  await sink.write(many);
  t.deepEqual(
    server.lines,
    Array.from({ length: 1200 }, (_, index) => `${index}`),
  );
  t.is(await sink.resumeAt(), 'r1');
  t.is(sink.dropped, 0);
  await sink.close();
});

test('after the configured attempts lines are dropped, counted and reported in the log', async (t) => {
  const server = new Server();
  const sink = await DeliveringSink.open(await container(t), { driver: 'x', attempts: 2 }, () => server);
  server.failures = 2;
  const lost = batch('r1', 'a', 'b');
  await t.throwsAsync(sink.write(lost), { message: 'x: refused' });
  await sink.write(lost);
  t.is(sink.dropped, 2);
  await sink.write(batch('r2', 'c'));
  t.deepEqual(server.lines, ['[2 lines lost: the log driver did not keep up]', 'c']);
  await sink.close();
});

test('the beginning of a line outlives a crash', async (t) => {
  const server = new Server();
  const subject = await container(t);
  const sink = await DeliveringSink.open(subject, { driver: 'x' }, () => server);
  await sink.write(batch('r1', 'one', 'begin…'));
  const next = await DeliveringSink.open(subject, { driver: 'x' }, () => server);
  t.is(await next.resumeAt(), 'r1');
  await next.write(batch('r2', 'ning', 'two'));
  t.deepEqual(server.lines, ['one', 'beginning', 'two']);
  t.deepEqual(
    server.messages.map(({ ordinal }) => ordinal),
    [1, 2, 3],
  );
  await next.close();
  await sink.close();
});

test('a long line is cut into pieces that know each other', async (t) => {
  const server = new Server();
  const sink = await DeliveringSink.open(await container(t), { driver: 'x' }, () => server);
  await sink.write(batch('r1', `${'x'.repeat(8192)}…`, `${'x'.repeat(8192)}…`, 'end'));
  t.deepEqual(
    server.messages.map(({ line, partial, piece }) => [line.length, partial, piece?.ordinal]),
    [
      [16384, true, 1],
      [3, false, 2],
    ],
  );
  t.is(server.messages[0]?.piece?.id, server.messages[1]?.piece?.id);
  await sink.close();
});

test('closing ends a write that hangs', async (t) => {
  const server = new Server();
  const sink = await DeliveringSink.open(await container(t), { driver: 'x' }, () => server);
  server.hangs = true;
  const write = sink.write(batch('r1', 'a'));
  await Promise.all([t.throwsAsync(write), sink.close()]);
});

test('little waits for the interval, and closing waits for neither', async (t) => {
  const server = new Server();
  const interval = 2 ** 30;
  const sink = await DeliveringSink.open(await container(t), { driver: 'x', interval }, () => server);
  await sink.write(batch('r1', 'a'));
  const second = sink.write(batch('r2', 'b'));
  await nextTurn();
  t.deepEqual(server.lines, ['a']);
  await sink.close();
  await second;
  t.deepEqual(server.lines, ['a', 'b']);
});
