import { open, readlink } from 'node:fs/promises';
import test from 'ava';
import { programPath } from './program-path.js';
import { sealedProgram } from './sealed-program.js';
import { SpawnLauncher } from './spawn-launcher.js';

test('a sealed copy of a program is executed like the program, cannot be changed, and is gone when it is closed', async (t) => {
  const sealed = await sealedProgram(await programPath('echo'));
  const { stdout } = await new SpawnLauncher().run(sealed.path, ['hello']);
  t.is(stdout.toString(), 'hello\n');
  const file = await open(sealed.path, 'r+');
  t.teardown(() => file.close());
  await t.throwsAsync(file.write('#!'), { code: 'EPERM' });
  await t.throwsAsync(file.truncate(0), { code: 'EPERM' });
  t.regex(await readlink(sealed.path), /gantry-echo/);
  sealed.close();
  t.notRegex(await readlink(sealed.path).catch(() => ''), /gantry-echo/);
});

test('a program that is not there cannot be copied', async (t) => {
  await t.throwsAsync(sealedProgram('/no/such/program'), { code: 'ENOENT' });
});
