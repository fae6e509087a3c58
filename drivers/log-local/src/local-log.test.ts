import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { freshDirectory, parseConfig, removeDirectory } from '@gantry/conformance';
import type { LogBatch, LogContainer, LogQuery } from '@gantry/core/contracts';
import { plainContainer } from '@gantry/lib-log/testing';
import test, { type ExecutionContext } from 'ava';
import { configSchema } from './config.js';
import { LocalLog } from './local-log.js';

async function setUp(t: ExecutionContext, options: Readonly<Record<string, string>> = {}) {
  const directory = await freshDirectory();
  t.teardown(() => removeDirectory(directory));
  const container = plainContainer(directory, options);
  const driver = new LocalLog(parseConfig(configSchema));
  return { driver, container, path: driver.path(container) };
}

function batch(lines: readonly string[], resume = 'end'): LogBatch {
  return { spool: Buffer.from(`${lines.join('\n')}\n`, 'latin1'), resume, records: () => [] };
}

const at = '2026-01-02T03:04:05.000000006+00:00';

async function textOf(driver: LocalLog, container: LogContainer, query: Partial<LogQuery> = {}): Promise<string> {
  let text = '';
  for await (const page of driver.read(container, { stdout: true, stderr: true, follow: false, ...query })) {
    for (const { line, partial } of page.records())
      text += `${Buffer.from(line).toString('latin1')}${partial ? '' : '\n'}`;
  }
  return text;
}

test('a line is its time, a letter for its stream, and its text byte for byte', async (t) => {
  const { driver, container, path } = await setUp(t);
  const sink = await driver.open(container);
  await sink.write(
    batch([`${at} stdout F "a"\xff\\`, `${at} stderr P part `, `${at} stdout F `, `${at} stderr F end`]),
  );
  await sink.write(batch([`${at} stdout P open`]));
  await sink.close();
  const lines = readFileSync(path, 'latin1').split('\n');
  const time = '2026-01-02T03:04:05.000000006';
  t.deepEqual(lines.slice(0, 3), [`${time} O "a"\xff\\`, `${time} O `, `${time} E part end`]);
  t.regex(lines[3] ?? '', /^\d{4}-\d\d-\d\dT[\d:.]{18} o open$/);
  t.is(await textOf(driver, container), '"a"\xff\\\n\npart end\nopen');
});

test('damaged lines are left out', async (t) => {
  const { driver, container, path } = await setUp(t);
  const sink = await driver.open(container);
  await sink.write(batch([`${at} stdout F one`]));
  appendFileSync(
    path,
    'rubbish\n\0\0\0\0\n\n2026-01-02T03:04:05.000000006 X other\n2026-01-02T03:04:05.000000006 O two\ntorn',
  );
  t.is(await textOf(driver, container), 'one\ntwo\n');
  t.is(await textOf(driver, container, { tail: 2 }), 'one\ntwo\n');
  await sink.close();
});

test('without options a log has five files of 20 MB, compressed when they are rotated', async (t) => {
  t.deepEqual(parseConfig(configSchema), { 'max-size': '20m', 'max-file': 5, compress: true });
  const { driver, container, path } = await setUp(t, { 'max-size': '2k', 'max-file': '3' });
  const sink = await driver.open(container);
  for (let index = 0; index < 200; index++) await sink.write(batch([`${at} stdout F line ${index}`], `${index}`));
  await sink.close();
  t.deepEqual(readdirSync(container.directory).sort(), [
    'c-local.log',
    'c-local.log.1.gz',
    'c-local.log.2.gz',
    'c-local.resume',
  ]);
  t.regex(gunzipSync(readFileSync(`${path}.1.gz`)).toString(), /^2026-01-02T03:04:05.000000006 O line \d+\n/);
  const text = await textOf(driver, container);
  const first = Number(/^line (\d+)/.exec(text)?.[1]);
  t.is(text, Array.from({ length: 200 - first }, (_, index) => `line ${first + index}\n`).join(''));
  await driver.remove(container);
  t.false(existsSync(path));
  t.deepEqual(readdirSync(container.directory), []);
});

test('options are checked', async (t) => {
  const { driver } = await setUp(t);
  driver.validate({ 'max-size': '10k', 'max-file': '1', compress: 'false' });
  driver.validate({ mode: 'non-blocking', 'max-buffer-size': '4m' });
  for (const name of ['tag', 'labels', 'nosuch']) {
    t.throws(() => driver.validate({ [name]: 'x' }), { message: `unknown log opt '${name}' for log driver local` });
  }
  t.throws(() => driver.validate({ 'max-size': 'x' }), { message: /max-size/ });
  t.throws(() => driver.validate({ 'max-file': '0' }), { message: /max-file/ });
  t.throws(() => driver.validate({ compress: 'maybe' }), { message: /compress/ });
  t.throws(() => driver.validate({ compress: 'true', 'max-file': '1' }), { message: /compress/ });
});
