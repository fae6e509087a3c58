import { readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import { Lifetime, silentLogger } from '@gantry/core/driver';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import type { ContainerContexts } from '@gantry/lib-linux/selinux';
import test, { type ExecutionContext } from 'ava';
import type { OciRuntime } from './oci-runtime.js';
import { SealedPrograms } from './sealed-programs.js';

const launcher = new SpawnLauncher();

/** A program that prints a word, in place of crun. */
async function setUp(t: ExecutionContext, contexts?: ContainerContexts) {
  const directory = await freshDirectory();
  t.teardown(() => removeDirectory(directory));
  const program = join(directory, 'crun');
  const print = (word: string): Promise<void> => writeFile(program, `#!/bin/sh\necho ${word} "$@"\n`, { mode: 0o755 });
  await print('old');
  const lifetime = new Lifetime();
  t.teardown(() => lifetime.release());
  const programs = new SealedPrograms({ containerContexts: async () => contexts }, lifetime, silentLogger);
  const crun: OciRuntime = { name: 'crun', path: program, args: ['--debug'], program, kind: 'crun', version: '1.8.1' };
  return { programs, crun, print, lifetime };
}

const run = async ({ path, args }: OciRuntime): Promise<string> => (await launcher.run(path, args)).stdout.toString();

test('crun is executed from one copy until its file changes', async (t) => {
  const { programs, crun, print, lifetime } = await setUp(t);
  const [first, second] = await Promise.all([programs.sealed(crun), programs.sealed(crun)]);
  t.not(first.path, crun.path);
  t.is(first.executedAs, first.path);
  t.is(second.path, first.path);
  t.is(await run(first), 'old --debug\n');
  await print('changed');
  const changed = await programs.sealed(crun);
  t.is(await run(changed), 'changed --debug\n');
  t.is(await run(first), 'old --debug\n', 'an earlier call may not have executed it yet');
  await lifetime.release();
  t.notRegex(await readlink(changed.path).catch(() => ''), /gantry-crun/);
});

test('the programs before crun stay as they are', async (t) => {
  const { programs, crun } = await setUp(t);
  const sealed = await programs.sealed({ ...crun, path: '/usr/bin/env', args: ['A=b', crun.path, '--debug'] });
  t.is(sealed.path, '/usr/bin/env');
  t.deepEqual(sealed.args, ['A=b', sealed.executedAs, '--debug']);
  t.is(await run(sealed), 'old --debug\n');
});

test('other runtimes, and crun on a host with SELinux, are executed from their files', async (t) => {
  const { programs, crun } = await setUp(t);
  const runc: OciRuntime = { ...crun, name: 'runc', kind: 'runc' };
  t.deepEqual(await programs.sealed(runc), runc);
  const labelled = await setUp(t, { process: 'p', file: 'f', image: 'i' });
  t.deepEqual(await labelled.programs.sealed(labelled.crun), labelled.crun);
});
