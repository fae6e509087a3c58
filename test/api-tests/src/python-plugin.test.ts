import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import engineApi from '@gantry/engine-api';
import externalPlugins from '@gantry/external-plugins';
import { state, volume } from '@gantry/memory-drivers';
import { startEngine } from '@gantry/test-engine';
import volumes from '@gantry/volumes';
import test from 'ava';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

test('the commands of the README of the plugin in Python work as they are written', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-python-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await mkdir(path.join(directory, 'run'));
  await startEngine(t, [engineApi, state, volume, volumes, externalPlugins], {
    plugins: {
      'engine-api': { hosts: [`unix://${path.join(directory, 'run/gantry.sock')}`] },
      'external-plugins': { socketDirectories: [path.join(directory, 'plugins')], specDirectories: [] },
    },
  });
  const readme = await readFile(path.join(checkout, 'examples/python-plugin/README.md'), 'utf8');
  const commands = /```sh\n(.*?)```/s.exec(readme)?.[1] ?? '';
  t.is(commands.trim().split('\n').length, 7);
  const { stdout } = await run('sh', ['-ec', commands], {
    cwd: directory,
    env: { ...process.env, CHECKOUT: checkout },
  });
  const [created, found, ...more] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.deepEqual(more, []);
  const Mountpoint = path.join(directory, 'kept/data');
  t.like(created, { Name: 'data', Driver: 'directories', Mountpoint });
  t.like(found, { Name: 'data', Driver: 'directories', Mountpoint, Status: { users: 0 } });
});
