import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';

const gantryd = fileURLToPath(new URL('../bin/gantryd.js', import.meta.url));

/** A plugin that has no copy of the core beside it and asks the kernel to construct a class it decorated. */
const sourceThat = (ends: string) => `
import { Config, definePlugin, inject, injectable, Logger } from '@gantry/core/plugin';
import { conflict, EngineError } from '@gantry/core/errors';
import { Type } from '${import.meta.resolve('@sinclair/typebox')}';

class Greeting {
  constructor(log) {
    this.log = log;
  }
  async start() {
    const isOne = conflict('x') instanceof EngineError;
    this.log.info({ event: 'test.greeted', isOne }, 'hello');
    ${ends}
  }
}
inject(Logger)(Greeting, undefined, 0);
injectable()(Greeting);

export default definePlugin({ id: 'greeting', configSchema: Type.Object({}), setup: () => Greeting });
`;

/** @returns where the plugin is, alone in a directory of the test. */
async function writePlugin(t: ExecutionContext, ends = ''): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'gantry-supply-')));
  t.teardown(() => rm(directory, { recursive: true }));
  const plugin = path.join(directory, 'greeting');
  await mkdir(plugin);
  const manifest = { name: 'greeting', version: '1.0.0', type: 'module', exports: './index.js' };
  await writeFile(
    path.join(plugin, 'package.json'),
    JSON.stringify({ ...manifest, gantry: { plugin: { id: 'greeting' } } }),
  );
  await writeFile(path.join(plugin, 'index.js'), sourceThat(ends));
  return plugin;
}

async function run(args: readonly string[], GANTRY_BUNDLE: string, cwd = process.cwd()) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, GANTRY_BUNDLE },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [log, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { log, code };
}

for (const GANTRY_BUNDLE of ['', 'off']) {
  const where = GANTRY_BUNDLE === 'off' ? 'on the modules' : 'from the bundle';
  test(`a package without a core of its own is supplied with the daemon's, ${where}`, async (t) => {
    const plugin = await writePlugin(t, "setImmediate(() => process.kill(process.pid, 'SIGTERM'));");
    const directory = path.dirname(plugin);
    const config = path.join(directory, 'gantry.json');
    const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
    await writeFile(config, JSON.stringify({ ...roots, packages: ['./greeting'] }));
    const { log, code } = await run([gantryd, '--config', config], GANTRY_BUNDLE);
    t.is(code, 0, log);
    t.regex(log, /"event":"test.greeted","isOne":true/);
  });
}

test('and with that of an engine within a program, from whose working directory a path is resolved', async (t) => {
  const plugin = await writePlugin(t);
  const program = path.join(plugin, '../program.mjs');
  const source = `
    import { createEngine, readDistribution } from '${new URL('./index.js', import.meta.url)}';
    const line = (facts) => process.stderr.write(JSON.stringify(facts));
    const log = { trace() {}, debug() {}, info: line, warn: line, error: line, child: () => log };
    const engine = await createEngine({ packages: [...readDistribution().config.packages, './greeting'], log });
    await engine.close();
  `;
  await writeFile(program, source);
  const { log, code } = await run([program], '', path.dirname(program));
  t.is(code, 0, log);
  t.regex(log, /"event":"test.greeted","isOne":true/);
});
