import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FindService, OfflineContext } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import doctor from '../index.js';

const secretive = definePlugin({
  id: 'discreet',
  configSchema: Type.Object({ password: Type.String(), proxy: Type.String(), limit: Type.Number() }),
  setup: () => ({ measure: () => [{ name: 'things', type: 'gauge', help: 'Things', values: [{ value: 7 }] }] }),
});

const port: FindService = (point) => {
  if (point.fallback === undefined) throw new Error(point.name);
  return point.fallback(port);
};

async function fileOf(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-support-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'bundle.tar.gz');
}

async function run(args: readonly string[], context: Partial<OfflineContext>): Promise<readonly string[]> {
  const whole = { configFile: undefined, dataRoot: '/var/lib/gantry', port, ...context } as OfflineContext;
  const lines: string[] = [];
  for await (const line of doctor.offlineCommands?.support?.(args, whole) ?? []) lines.push(line);
  return lines;
}

/** What the command has where this engine is the daemon. */
const contextOf = ({ kernel, socketPath }: TestEngine): Partial<OfflineContext> => ({
  isDaemonRunning: true,
  settings: { engine: {}, packages: { 'engine-api': { hosts: [`unix://${socketPath}`] } } },
  ask: async function* (command, args) {
    for await (const line of kernel.commands().get(command)?.(args) ?? []) yield line;
  },
});

test('the bundle of a running engine has what a report needs, and no secrets', async (t) => {
  const engine = await startEngine(t, [engineApi, state, secretive, doctor], {
    plugins: { discreet: { password: 's3cret', proxy: 'http://me:s3cret@proxy.example:3128', limit: 5 } },
  });
  const file = await fileOf(t);
  const lines = await run([file], contextOf(engine));
  t.is((await stat(file)).mode & 0o777, 0o600);
  const text = gunzipSync(await readFile(file)).toString();
  t.false(text.includes('s3cret'));
  for (const part of [
    '"limit": 5',
    '[redacted]@proxy.example',
    '"things"',
    'kernel.version',
    '"state/memory"',
    process.version,
  ]) {
    t.true(text.includes(part), part);
  }
  // This engine has no area that answers them.
  t.true(lines.includes('not included: info.json: page not found'), lines.join('\n'));
  t.regex(
    lines.at(-1) ?? '',
    /versions\.json, configuration\.json, packages\.json, metrics\.json, log\.jsonl, doctor\.json/,
  );
});

test('without a daemon the bundle has what the host says', async (t) => {
  const file = await fileOf(t);
  const settings = {
    engine: { dataRoot: '/var/lib/gantry', execRoot: '/run/gantry' },
    packages: { x: { token: 'abc' } },
  };
  await run([file], { isDaemonRunning: false, settings });
  const text = gunzipSync(await readFile(file)).toString();
  t.true(text.includes('"token": "[redacted]"'));
  t.true(text.includes('kernel.version'));
});

test('bad arguments are refused, and no file is made', async (t) => {
  const file = await fileOf(t);
  for (const args of [[], ['--all'], [file, 'more']]) {
    await t.throwsAsync(run(args, {}), { message: 'gantryd support: one file is wanted; see --help' });
  }
  t.deepEqual(await readdir(join(file, '..')), []);
  t.regex((await run(['--help'], {})).join('\n'), /^usage: gantryd support FILE/);
});
