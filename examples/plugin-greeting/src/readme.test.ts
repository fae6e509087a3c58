import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

test('the commands of the README work as they are written', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-readme-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const program = path.join(checkout, 'gantry/bin/gantryd.js');
  const gantryd = path.join(directory, 'gantryd');
  await writeFile(gantryd, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(gantryd, 0o755);
  const file = path.join(directory, 'gantry.json');
  const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const hosts = [`unix://${path.join(directory, 'run/gantry.sock')}`];
  const packages = [path.join(checkout, 'plugins/engine-api')];
  await writeFile(file, JSON.stringify({ ...roots, packages, defaults: {}, plugins: { 'engine-api': { hosts } } }));
  const daemon = spawn(gantryd, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(daemon, 'exit');
  t.teardown(async () => {
    daemon.kill('SIGTERM');
    await ended;
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    daemon.stderr.on('data', (chunk) => {
      output += chunk;
      if (output.includes('daemon.ready')) resolve();
    });
    void ended.then(() => reject(new Error(output)));
  });
  const readme = await readFile(path.join(checkout, 'examples/plugin-greeting/README.md'), 'utf8');
  const commands = /```sh\n(.*?)```/s.exec(readme)?.[1] ?? '';
  t.is(commands.trim().split('\n').length, 5);
  const { stdout } = await run('sh', ['-ec', commands], {
    cwd: directory,
    env: { ...process.env, CHECKOUT: checkout, PATH: `${directory}:${process.env.PATH}`, npm_config_offline: 'true' },
  }).catch((error: Error) => t.fail(`${error.message}\n${output}`) as never);
  t.is(
    stdout,
    [
      '@gantry/plugin-greeting 0.1.0: greeting joined',
      '{"Text":"good morning, Ada","Containers":0}',
      '{"Text":"good morning, Grace","Containers":0}',
      'good morning, Ada',
      'greeting: greeting left',
      '',
    ].join('\n'),
    output,
  );
});
