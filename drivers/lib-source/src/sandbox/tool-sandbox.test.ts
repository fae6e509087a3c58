import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kernelProcesses } from '@gantry/lib-linux/processes';
import test from 'ava';
import { RecordingLauncher } from '../testing/recording-launcher.js';
import { scratchFor } from '../testing/scratch.js';
import { ToolSandbox } from './tool-sandbox.js';

const processes = kernelProcesses;

test('an abort stops the programs of a call, and its home is removed with it', async (t) => {
  const scratch = await scratchFor(t);
  const launcher = new RecordingLauncher();
  const controller = new AbortController();
  const sandbox = await ToolSandbox.open({ scratch, launcher, processes, signal: controller.signal });
  t.true((await readdir(scratch)).some((name) => name.startsWith('home-')));
  const run = sandbox.run('waiting', { program: 'sleep', args: ['60'] });
  const failed = t.throwsAsync(run, { message: 'cancelled' });
  while (launcher.launched.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error('cancelled'));
  await failed;
  await sandbox.close();
  for (const { process } of launcher.launched) t.false(kernelProcesses.isAlive(process.pid));
  t.deepEqual(await readdir(join(scratch, 'programs')), []);
  t.false((await readdir(scratch)).some((name) => name.startsWith('home-')));
});

test('opening a sandbox kills the programs and removes the homes of a killed daemon', async (t) => {
  const scratch = await scratchFor(t);
  const orphan = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  t.teardown(() => void orphan.kill('SIGKILL'));
  const exited = once(orphan, 'exit');
  await mkdir(join(scratch, 'programs'));
  await mkdir(join(scratch, 'home-of-a-killed-daemon'));
  const pid = orphan.pid ?? 0;
  await writeFile(join(scratch, 'programs', String(pid)), String(kernelProcesses.status(pid)?.startTime));
  const sandbox = await ToolSandbox.open({ scratch, launcher: new RecordingLauncher(), processes });
  await exited;
  t.is(orphan.signalCode, 'SIGKILL');
  t.deepEqual(await readdir(join(scratch, 'programs')), []);
  t.false((await readdir(scratch)).includes('home-of-a-killed-daemon'));
  await sandbox.close();
});

test('a call that takes more disk space than allowed is aborted', async (t) => {
  const scratch = await scratchFor(t);
  const sandbox = await ToolSandbox.open({ scratch, launcher: new RecordingLauncher(), processes, maxBytes: 10_000 });
  await writeFile(join(scratch, 'large'), Buffer.alloc(100_000, 1));
  await sandbox.watch.checkSize();
  t.like(
    t.throws(() => sandbox.watch.throwIfAborted()),
    { failure: 'too-large' },
  );
  await sandbox.close();
});

test('a program that is not installed is named with its package', async (t) => {
  const scratch = await scratchFor(t);
  const launcher = new RecordingLauncher(['svnrdump']);
  const sandbox = await ToolSandbox.open({ scratch, launcher, processes });
  const message = 'svnrdump is not installed on this host (package subversion)';
  const run = sandbox.run('fetching', { program: 'svnrdump', args: [] });
  t.like(await t.throwsAsync(run, { message }), { failure: 'missing-program', step: 'fetching' });
  await sandbox.close();
});

test('credentials are redacted from the output of a failed program', async (t) => {
  const scratch = await scratchFor(t);
  const options = { scratch, launcher: new RecordingLauncher(), processes, secrets: ['s3cret'] };
  const sandbox = await ToolSandbox.open(options);
  const run = sandbox.run('printing', { program: 'sh', args: ['-c', 'echo s3cret http://a:b@host/ >&2; exit 3'] });
  t.is((await t.throwsAsync(run))?.message, 'sh exited with code 3: *** http://host/');
  await sandbox.close();
});
