import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import test, { type ExecutionContext } from 'ava';

const lines = 3000;

/** A spool of numbered lines, some in parts, some overlong. */
function spoolText(): string {
  const at = '2026-11-21T11:16:39.824525060+00:00';
  return Array.from({ length: lines }, (_, index) => {
    if (index % 50 === 7) return `${at} stdout P ${index}:\n${at} stderr F err\n${at} stdout F ${'p'.repeat(100)}\n`;
    if (index % 500 === 9) {
      const piece = 'q'.repeat(8192);
      return `${at} stdout P ${index}:\n${`${at} stdout P ${piece}\n`.repeat(3)}${at} stdout F \n`;
    }
    return `${at} stdout F ${index}:${'x'.repeat(index % 90)}\n`;
  }).join('');
}

async function setUp(t: ExecutionContext): Promise<string> {
  const directory = await freshDirectory();
  t.teardown(() => removeDirectory(directory));
  mkdirSync(join(directory, 'log'));
  writeFileSync(join(directory, 'spool'), spoolText());
  return directory;
}

/** Runs another process that reads the spool into the log. @returns how it ended. */
async function pump(directory: string, compress: boolean, crashAt?: string, killAfter?: number): Promise<unknown> {
  const child = fork(new URL('./testing/spool-pump.js', import.meta.url), [directory, String(compress)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...(crashAt !== undefined && { GANTRY_CRASH_AT: crashAt }) },
  });
  const exit = once(child, 'exit');
  if (killAfter !== undefined) {
    await once(child, 'message');
    await delay(killAfter);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exit;
  return signal ?? code;
}

/** All of the log's texts, put together, by stream. */
function texts(directory: string): { readonly stdout: string; readonly stderr: string } {
  const log = join(directory, 'log');
  const age = (name: string): number => Number(/\.(\d+)(\.gz)?$/.exec(name)?.[1] ?? 0);
  const files = readdirSync(log).filter((name) => /\.log(\.\d+(\.gz)?)?$/.test(name));
  const content = files
    .sort((one, other) => age(other) - age(one))
    .map((name) => ({ name, bytes: readFileSync(join(log, name)) }))
    .map(({ name, bytes }) => (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
    .join('');
  const records = content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { log: string; stream: 'stdout' | 'stderr' });
  const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ log }) => log);
  return { stdout: of('stdout').join(''), stderr: of('stderr').join('') };
}

function checkAll(t: ExecutionContext, directory: string): void {
  const { stdout, stderr } = texts(directory);
  t.deepEqual(
    stdout.split('\n').map((line) => Number.parseInt(line, 10)),
    [...Array.from({ length: lines }, (_, index) => index), Number.NaN],
  );
  t.is(stderr, 'err\n'.repeat(lines / 50));
  t.is(stdout.split('q').length - 1, (lines / 500) * 3 * 8192);
}

for (const point of ['announced', 'appended', 'shift', 'shifted', 'rotated', 'compressed']) {
  test(`killed where it has just ${point}, a log loses nothing and repeats nothing`, async (t) => {
    const directory = await setUp(t);
    for (let round = 0; round < 3; round++) {
      t.is(await pump(directory, point === 'compressed', `log-file.${point}`), 'SIGKILL');
    }
    t.is(await pump(directory, point === 'compressed'), 0);
    checkAll(t, directory);
  });
}

test('killed at any time, again and again, a log loses nothing and repeats nothing', async (t) => {
  const directory = await setUp(t);
  for (const wait of [0, 1, 2, 3, 5, 8, 13, 4, 6]) await pump(directory, wait % 2 === 0, undefined, wait);
  t.is(await pump(directory, true), 0);
  checkAll(t, directory);
});
