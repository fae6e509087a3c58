import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const gantryd = fileURLToPath(new URL('../bin/gantryd.js', import.meta.url));

/** A plugin that has no copy of the core beside it and asks the kernel to construct a class it decorated. */
const source = `
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
    setImmediate(() => process.kill(process.pid, 'SIGTERM'));
  }
}
inject(Logger)(Greeting, undefined, 0);
injectable()(Greeting);

export default definePlugin({ id: 'greeting', configSchema: Type.Object({}), setup: () => Greeting });
`;

for (const GANTRY_BUNDLE of ['', 'off']) {
  const where = GANTRY_BUNDLE === 'off' ? 'on the modules' : 'from the bundle';
  test(`a package without a core of its own is supplied with the daemon's, ${where}`, async (t) => {
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'gantry-supply-')));
    t.teardown(() => rm(directory, { recursive: true }));
    const plugin = path.join(directory, 'greeting');
    await mkdir(plugin);
    const manifest = { name: 'greeting', version: '1.0.0', type: 'module', exports: './index.js' };
    await writeFile(
      path.join(plugin, 'package.json'),
      JSON.stringify({ ...manifest, gantry: { plugin: { id: 'greeting' } } }),
    );
    await writeFile(path.join(plugin, 'index.js'), source);
    const config = path.join(directory, 'gantry.json');
    const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
    await writeFile(config, JSON.stringify({ ...roots, packages: ['./greeting'] }));

    const daemon = spawn(process.execPath, [gantryd, '--config', config], {
      env: { ...process.env, GANTRY_BUNDLE },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [log, [code]] = await Promise.all([text(daemon.stderr), once(daemon, 'exit')]);
    t.is(code, 0, log);
    t.regex(log, /"event":"test.greeted","isOne":true/);
  });
}
