import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ConfigurationFile } from './configuration-file.js';

async function fileWith(t: ExecutionContext, text: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-configuration-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'gantry.json');
  await writeFile(file, text);
  return { directory, file };
}

test('a file is replaced with its layout, its permissions and its link, and what was there can return', async (t) => {
  const text = '{\n    "packages": [],\n    "logLevel": "warn"\n}\n';
  const { directory, file } = await fileWith(t, text);
  await chmod(file, 0o640);
  const link = path.join(directory, 'link.json');
  await symlink('gantry.json', link);
  const configuration = new ConfigurationFile(link);
  const before = await configuration.read();
  const revoke = await configuration.replace(before, { ...before.content, extraPackages: ['./a'] });
  t.is(
    await readFile(file, 'utf8'),
    '{\n    "packages": [],\n    "logLevel": "warn",\n    "extraPackages": [\n        "./a"\n    ]\n}\n',
  );
  t.is((await stat(file)).mode & 0o777, 0o640);
  t.deepEqual(await readdir(directory), ['gantry.json', 'link.json']);
  await revoke();
  t.is(await readFile(file, 'utf8'), text);
});

test('a change that another process has made meanwhile is kept', async (t) => {
  const { file } = await fileWith(t, '{}');
  const configuration = new ConfigurationFile(file);
  const before = await configuration.read();
  await writeFile(file, '{ "logLevel": "warn" }');
  await t.throwsAsync(configuration.replace(before, {}), {
    message: `${file} was changed meanwhile; repeat the command`,
  });
  t.is(await readFile(file, 'utf8'), '{ "logLevel": "warn" }');
});

test('the draft of a command that was killed is replaced', async (t) => {
  const { file } = await fileWith(t, '{}');
  await writeFile(`${file}.new`, '{ "half');
  const configuration = new ConfigurationFile(file);
  await configuration.replace(await configuration.read(), { logLevel: 'warn' });
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), { logLevel: 'warn' });
});
