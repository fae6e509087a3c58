import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kernelProcesses } from '@gantry/lib-linux/processes';
import test, { type ExecutionContext } from 'ava';
import type { ConversionContext } from './conversion-context.js';
import { convertSource } from './convert-source.js';
import type { Vcs } from './source.js';
import { RecordingLauncher } from './testing/recording-launcher.js';
import { commitsOf, contextIn, run, scratchFor } from './testing/scratch.js';
import { serveSubversion } from './testing/servers.js';
import { SubversionFixture } from './testing/subversion-fixture.js';

/** A server that takes connections and says nothing. `reached` resolves at the first request. */
async function silentServer(t: ExecutionContext): Promise<{ host: string; reached: Promise<unknown> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const reached = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as { port: number }).port}`, reached };
}

const sources: readonly (readonly [Vcs, string])[] = [
  ['git', 'http'],
  ['git', 'git'],
  ['subversion', 'http'],
  ['subversion', 'svn'],
  ['mercurial', 'http'],
  ['tfvc', 'http'],
];

for (const [vcs, scheme] of sources) {
  test.serial(
    `an import by ${vcs} over ${scheme} ends within two seconds of its abort, with its programs`,
    async (t) => {
      const directory = await scratchFor(t);
      const { host, reached } = await silentServer(t);
      const controller = new AbortController();
      const launcher = new RecordingLauncher();
      const context = { ...contextIn(directory), launcher, signal: controller.signal };
      const converted = convertSource(
        { url: `${scheme}://${host}/x`, vcs },
        { ...context, repository: join(directory, 'git') },
      );
      const failed = t.throwsAsync(converted, { message: 'cancelled' });
      await reached;
      // On a machine with much else to do, ending a program takes as much longer as running one.
      const began = performance.now();
      await run(directory, 'svn', ['--version', '--quiet']);
      const before = performance.now();
      const patience = 2000 + 20 * (before - began);
      controller.abort(new Error('cancelled'));
      await failed;
      const took = performance.now() - before;
      t.true(took < patience, `${took} of ${patience} ms`);
      for (const { process } of launcher.launched) t.false(kernelProcesses.isAlive(process.pid));
      t.deepEqual(await readdir(join(directory, 'work', 'programs')), []);
    },
  );
}

test('a source that falls silent and one that takes too much room are given up', async (t) => {
  const directory = await scratchFor(t);
  const { host } = await silentServer(t);
  const convert = (url: string, vcs: Vcs, more: Partial<ConversionContext>) =>
    convertSource({ url, vcs }, { ...contextIn(directory, vcs), ...more, repository: join(directory, 'git') });
  const silent = await t.throwsAsync(convert(`svn://${host}/x`, 'subversion', { stallSeconds: 0.5 }));
  t.like(silent, { failure: 'unreachable', message: 'the source has sent nothing for 0.5 seconds' });
  const fixture = await SubversionFixture.create(directory);
  await fixture.write({ 'trunk/big': 'x'.repeat(100_000) });
  await fixture.commit('alice', 'too much');
  t.like(await t.throwsAsync(convert(fixture.url, 'subversion', { maxBytes: 10_000 })), { failure: 'too-large' });
});

test('a program that is not there is named with its package', async (t) => {
  const directory = await scratchFor(t);
  const launcher = new RecordingLauncher(['svnrdump']);
  const fixture = await SubversionFixture.create(directory);
  await fixture.write({ 'trunk/a': 'a' });
  await fixture.commit('alice', 'one a');
  const converted = convertSource(
    { url: fixture.url },
    { ...contextIn(directory), launcher, repository: join(directory, 'git') },
  );
  const message = /^svnrdump is not installed on this host \(package subversion\)$/;
  const expected = { failure: 'missing-program', step: 'fetching the Subversion repository' };
  t.like(await t.throwsAsync(converted, { message }), expected);
});

test('what a killed daemon left running is ended by the next one, which goes on where that one was', async (t) => {
  const directory = await scratchFor(t);
  const fixture = await SubversionFixture.create(directory);
  for (let index = 1; index <= 8; index += 1) {
    await fixture.write({ 'trunk/a': `${index}\n` });
    await fixture.commit('alice', `change ${index}`);
  }
  const url = `${await serveSubversion(t, directory)}/svn`;
  const repository = join(directory, 'git');
  const context = contextIn(directory);
  // A first daemon, killed while its program waits for a server that says nothing.
  const { host, reached } = await silentServer(t);
  const module = fileURLToPath(new URL('./index.js', import.meta.url));
  const program = `
    import { convertSource } from ${JSON.stringify(module)};
    const options = { scratch: ${JSON.stringify(context.scratch)}, repository: ${JSON.stringify(repository)}, allowDestination: () => true };
    await convertSource({ url: 'svn://${host}/svn', vcs: 'subversion' }, options);`;
  const daemon = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
  const gone = once(daemon, 'exit');
  await reached;
  const programs = join(context.scratch, 'programs');
  let pids: readonly string[] = [];
  while (pids.length === 0) {
    await delay(10);
    pids = await readdir(programs).catch(() => []);
  }
  // Its name is there before what is in it.
  while ((await readFile(join(programs, pids[0] ?? ''), 'utf8')) === '') await delay(10);
  daemon.kill('SIGKILL');
  await gone;
  const [pid] = pids.map(Number);
  t.true(kernelProcesses.isAlive(pid ?? 0));

  const controller = new AbortController();
  const onProgress = ({ percent }: { percent: number }): void => {
    if (percent > 20) controller.abort(new Error('killed, too'));
  };
  const second = { ...context, repository, onProgress, signal: controller.signal };
  await t.throwsAsync(convertSource({ url, vcs: 'subversion' }, second));
  t.false(kernelProcesses.isAlive(pid ?? 0));
  // A third finds files in whatever state they are in.
  await mkdir(join(context.scratch, 'conversion', 'export', 'converted'), { recursive: true });
  await writeFile(join(context.scratch, 'conversion', 'export', 'converted', 'HEAD'), 'half');
  await convertSource({ url, vcs: 'subversion' }, { ...context, repository });
  t.is((await commitsOf(repository, 'master')).length, 8);
  await rm(join(context.scratch, 'conversion', 'mirror', 'format'));
  await convertSource({ url, vcs: 'subversion' }, { ...context, repository });
  t.is((await commitsOf(repository, 'master')).length, 8, 'a mirror that is broken is made anew');
});
