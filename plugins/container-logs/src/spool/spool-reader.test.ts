import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { plainContainer } from '@gantry/lib-log/testing';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { FakeLog } from '../testing/fake-log.js';
import { BatchBuffers } from './batch-buffers.js';
import { formatPosition, positionFile, spoolName } from './spool-files.js';
import { SpoolReader } from './spool-reader.js';

const line = (number: number, text = `line ${number}`) =>
  `2026-01-01T00:00:00.${String(number).padStart(9, '0')}+00:00 stdout F ${text}\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index)).join('');

async function open(t: ExecutionContext, limits = { rotateAt: 2 ** 30, backlog: 0 }) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-spool-'));
  const log = new FakeLog();
  const reports: string[] = [];
  const spool = path.join(directory, spoolName(1n));
  let rotations = 0;
  const container = plainContainer(directory);
  const make = () =>
    new SpoolReader({
      container,
      openSink: () => log.open(container),
      limits,
      buffers: new BatchBuffers(),
      owner: {
        rotate: async () => {
          const moved = `${spool}.${++rotations}`;
          await rename(spool, moved);
          await writeFile(spool, '');
          return moved;
        },
        report: (_, event) => void reports.push(event),
      },
    });
  const reader = make();
  t.teardown(async () => {
    await reader.stop();
    await rm(directory, { recursive: true, force: true });
  });
  const written = () => readFile(log.path(container), 'utf8').catch(() => '');
  return { container, directory, log, make, reader, reports, spool, written };
}

test('appended lines reach the sink, and the spool is deleted after the run', async (t) => {
  const { directory, reader, spool, written } = await open(t);
  await writeFile(spool, '');
  reader.add(spool);
  await appendFile(spool, lines(0, 3));
  await eventually('the lines', async () => (await written()) === lines(0, 3));
  await appendFile(spool, line(3));
  reader.finish();
  await reader.settled();
  t.is(await written(), lines(0, 4));
  t.true(reader.isDone);
  t.deepEqual(await readdir(directory), ['fake.log']);
});

test('catching up after the run includes what the sink held back', async (t) => {
  const { container, log, reader, spool, written } = await open(t);
  const openSink = log.open.bind(log);
  log.open = async (of) => {
    const sink = await openSink(of);
    const close = sink.close.bind(sink);
    sink.close = async () => {
      await setImmediate();
      await appendFile(log.path(container), 'unfinished');
      await close();
    };
    return sink;
  };
  await writeFile(spool, line(0));
  reader.add(spool);
  reader.finish();
  await reader.caughtUp();
  t.is(await written(), `${line(0)}unfinished`);
});

test('catching up covers everything written before the call', async (t) => {
  const { reader, spool, written } = await open(t);
  await writeFile(spool, lines(0, 1000));
  reader.add(spool);
  await reader.caughtUp();
  t.is(await written(), lines(0, 1000));
  await appendFile(spool, lines(1000, 1001));
  await reader.caughtUp();
  t.is(await written(), lines(0, 1001));
});

test('an unfinished line is not waited for, and is written when it is complete', async (t) => {
  const { reader, spool, written } = await open(t);
  const whole = line(1);
  await writeFile(spool, line(0) + whole.slice(0, 30));
  reader.add(spool);
  await reader.caughtUp();
  t.is(await written(), line(0));
  await appendFile(spool, whole.slice(30));
  await eventually('the rest', async () => (await written()) === lines(0, 2));
  t.pass();
});

for (const keeper of ['the sink', 'the engine'] as const) {
  test(`a reader that follows a killed one repeats nothing when ${keeper} stores the position`, async (t) => {
    const { log, make, reader, spool, written } = await open(t);
    log.keepsPosition = keeper === 'the sink';
    await writeFile(spool, lines(0, 10));
    reader.add(spool);
    await reader.caughtUp();
    await reader.stop();
    await appendFile(spool, lines(10, 20));
    const next = make();
    next.resume();
    await next.caughtUp();
    await appendFile(spool, line(20));
    await eventually('what comes after', async () => (await written()) === lines(0, 21));
    next.finish();
    await next.settled();
    t.is(await written(), lines(0, 21));
  });
}

test('a spool rotated before a crash is consumed first', async (t) => {
  const { directory, log, make, reader, spool, written } = await open(t);
  log.keepsPosition = true;
  await writeFile(spool, lines(0, 5));
  reader.add(spool);
  await reader.caughtUp();
  await reader.stop();
  await appendFile(spool, lines(5, 7));
  await rename(spool, `${spool}.1`);
  await writeFile(`${spool}.2`, lines(7, 9));
  await writeFile(spool, lines(9, 10));
  const next = make();
  next.resume();
  next.finish();
  await next.settled();
  t.is(await written(), lines(0, 10));
  t.deepEqual(await readdir(directory), ['fake.log']);
});

test('rotating a long spool neither loses nor repeats lines', async (t) => {
  const { directory, reader, spool, written } = await open(t, { rotateAt: 2000, backlog: 0 });
  await writeFile(spool, '');
  reader.add(spool);
  for (let from = 0; from < 500; from += 50) {
    await appendFile(spool, lines(from, from + 50));
    await reader.caughtUp();
  }
  t.true((await readdir(directory)).length <= 4);
  reader.finish();
  await reader.settled();
  t.is(await written(), lines(0, 500));
  t.deepEqual(await readdir(directory), ['fake.log']);
});

test('a batch that the sink refused is retried', async (t) => {
  const { log, reader, reports, spool, written } = await open(t);
  log.refusals = 2;
  await writeFile(spool, lines(0, 3));
  reader.add(spool);
  await reader.caughtUp();
  t.is(await written(), lines(0, 3));
  t.deepEqual(reports, ['log.sink-failed']);
});

test('the output of the next run follows the rest of the previous one', async (t) => {
  const { directory, log, reader, spool, written } = await open(t);
  log.refusals = 1;
  await writeFile(spool, lines(0, 3));
  reader.add(spool);
  reader.finish();
  const next = path.join(directory, spoolName(2n));
  await writeFile(next, lines(3, 5));
  reader.add(next);
  await reader.caughtUp();
  t.is(await written(), lines(0, 5));
  t.false((await readdir(directory)).includes(path.basename(spool)));
});

test('beyond the backlog limit the oldest lines are dropped, and the log says how many', async (t) => {
  const { log, reader, reports, spool, written } = await open(t, { rotateAt: 2 ** 30, backlog: 3000 });
  log.refusals = Number.POSITIVE_INFINITY;
  await writeFile(spool, line(0));
  reader.add(spool);
  await eventually('the first refusal', () => reports.length > 0);
  await appendFile(spool, lines(1, 200));
  await eventually('lines to be dropped', () => reports.includes('log.lines-lost'));
  log.refusals = 0;
  await appendFile(spool, line(200));
  await eventually('the newest line', async () => (await written()).endsWith(line(200)));
  const text = await written();
  t.true(text.startsWith(line(0)));
  t.regex(text, /stderr F \[199 lines lost: the log driver did not keep up\]\n/);
});

test('a run without output creates no log file', async (t) => {
  const { directory, reader, spool } = await open(t);
  await writeFile(spool, '');
  reader.add(spool);
  await reader.caughtUp();
  reader.finish();
  await reader.settled();
  t.deepEqual(await readdir(directory), []);
});

test('a spool that cannot be opened at the moment is kept, and written later', async (t) => {
  const { directory, reader, reports, spool, written } = await open(t);
  // A link to itself is no file that does not exist.
  await symlink(spool, spool);
  reader.add(spool);
  reader.finish();
  await eventually('the report', () => reports.includes('log.spool-failed'));
  // At once: a spool that is missing is done with.
  await writeFile(`${spool}.new`, lines(0, 2));
  await rename(`${spool}.new`, spool);
  await reader.caughtUp();
  t.is(await written(), lines(0, 2));
  t.deepEqual(await readdir(directory), ['fake.log']);
});

test('what an earlier daemon left is looked for again when it could not be read', async (t) => {
  const { directory, reader, reports, spool, written } = await open(t);
  await positionFile.write(directory, formatPosition({ time: 'earlier', offset: 0 }));
  await mkdir(spool); // a directory cannot be read as a file
  reader.resume();
  await t.throwsAsync(reader.caughtUp(), { code: 'EISDIR' });
  await eventually('the report', () => reports.includes('log.spool-failed'));
  await setTimeout(100);
  t.deepEqual(reports, ['log.spool-failed'], 'it is not looked for all the time');
  await rmdir(spool);
  await writeFile(spool, lines(0, 2));
  reader.finish();
  await eventually('the lines', async () => (await written()) === lines(0, 2));
  await reader.settled();
  t.true(reader.isDone);
});
