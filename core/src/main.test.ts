import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('../bin/gantryd.js', import.meta.url));

type Daemon = ChildProcessByStdio<null, null, Readable>;

/** A plugin that opens nothing which would keep a process alive. */
const quietPlugin = `
  import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
  export default { id: 'quiet', configSchema: Type.Object({}), setup: () => undefined };
`;

/** One whose code throws: in a callback after the start, or while it starts. */
const faultyPlugin = (hooks: string): string => `
  import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
  const fail = () => { undefined.field; };
  export default { id: 'quiet', configSchema: Type.Object({}), setup: () => ({ ${hooks} }) };
`;

async function daemonWith(t: ExecutionContext, config: object, plugin = quietPlugin): Promise<Daemon> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-main-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await mkdir(path.join(directory, 'quiet'));
  const manifest = { name: 'quiet', type: 'module', exports: './index.js', gantry: { plugin: { id: 'quiet' } } };
  await writeFile(path.join(directory, 'quiet/package.json'), JSON.stringify(manifest));
  await writeFile(path.join(directory, 'quiet/index.js'), plugin);
  const file = path.join(directory, 'gantry.json');
  const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  await writeFile(file, JSON.stringify({ ...roots, defaults: {}, ...config }));
  const daemon = spawn(process.execPath, [program, '--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.teardown(() => daemon.kill('SIGKILL'));
  return daemon;
}

/** Resolves when the daemon has logged the text. */
function said(daemon: Daemon, words: string): Promise<void> {
  let heard = '';
  return new Promise((resolve, reject) => {
    daemon.stderr.on('data', (chunk) => {
      heard += chunk;
      if (heard.includes(words)) resolve();
    });
    daemon.once('exit', () => reject(new Error(`the daemon ended without saying "${words}": ${heard}`)));
  });
}

test('a daemon without packages is refused in one line', async (t) => {
  const daemon = await daemonWith(t, { packages: [] });
  const [words, [code]] = await Promise.all([text(daemon.stderr), once(daemon, 'exit')]);
  t.is(words, 'gantryd: "packages" is empty: there is nothing to run\n');
  t.is(code, 1);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`a daemon whose packages listen nowhere runs until ${signal}, and ends with 0`, async (t) => {
    const daemon = await daemonWith(t, { packages: ['./quiet'] });
    await said(daemon, 'daemon.ready');
    const exit = once(daemon, 'exit');
    daemon.kill(signal);
    t.deepEqual(await exit, [0, null]);
  });
}

test('SIGHUP reads the configuration again; a damaged one changes nothing', async (t) => {
  const daemon = await daemonWith(t, { packages: ['./quiet'], logLevel: 'info' });
  const file = daemon.spawnargs.at(-1) ?? '';
  await said(daemon, 'daemon.ready');
  const config = JSON.parse(await readFile(file, 'utf8'));
  const reloaded = said(daemon, '"applied":[],"waiting":["dataRoot"]');
  await writeFile(file, JSON.stringify({ ...config, dataRoot: '/elsewhere' }));
  daemon.kill('SIGHUP');
  await reloaded;
  const failed = said(daemon, 'daemon.reload-failed');
  await writeFile(file, '{');
  daemon.kill('SIGHUP');
  await failed;
  const exit = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  t.deepEqual(await exit, [0, null]);
});

/** The log line of an event. */
const lineOf = (output: string, event: string) =>
  JSON.parse(output.split('\n').find((line) => line.includes(`"event":"${event}"`)) ?? '{}');

test('an uncaught error is logged with its stack, and the daemon exits with 1', async (t) => {
  const hooks = 'async ready() { setTimeout(fail, 1); }';
  const daemon = await daemonWith(t, { packages: ['./quiet'] }, faultyPlugin(hooks));
  const [output, [code]] = await Promise.all([text(daemon.stderr), once(daemon, 'exit')]);
  t.is(code, 1);
  const { error } = lineOf(output, 'daemon.crashed');
  t.is(error?.type, 'TypeError', output);
  t.regex(error.stack, /at .*fail .*quiet\/index\.js/);
});

test('an unhandled rejection is logged and ends the daemon in the same way', async (t) => {
  const hooks = 'async ready() { void Promise.resolve().then(fail); }';
  const daemon = await daemonWith(t, { packages: ['./quiet'] }, faultyPlugin(hooks));
  const [output, [code]] = await Promise.all([text(daemon.stderr), once(daemon, 'exit')]);
  t.is(code, 1);
  t.like(lineOf(output, 'daemon.crashed'), { origin: 'unhandledRejection', error: { type: 'TypeError' } });
});

test('an unexpected exception of a package is logged with its stack and the package', async (t) => {
  const daemon = await daemonWith(t, { packages: ['./quiet'] }, faultyPlugin('async start() { fail(); }'));
  const [output, [code]] = await Promise.all([text(daemon.stderr), once(daemon, 'exit')]);
  t.is(code, 1);
  const line = lineOf(output, 'unit.failed');
  t.like(line, { unit: 'quiet', error: { type: 'TypeError' } }, output);
  t.regex(line.error.stack, /quiet\/index\.js/);
  t.regex(output, /^gantryd: quiet cannot start: Cannot read properties of undefined/m);
});
