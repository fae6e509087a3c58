import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import test, { type ExecutionContext } from 'ava';
import { isLfsOid, lfsObjectPath, ProgramGitHosting } from './index.js';

const hosting = new ProgramGitHosting(new SpawnLauncher());

const run = promisify(execFile);
const env = {
  ...process.env,
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
  ...{ GIT_AUTHOR_NAME: 'o', GIT_AUTHOR_EMAIL: 'o@x', GIT_COMMITTER_NAME: 'o', GIT_COMMITTER_EMAIL: 'o@x' },
};
const git = async (...args: readonly string[]) => (await run('git', [...args], { env })).stdout.trim();

async function fixture(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-git-hosting-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [hosted, work] = [join(directory, 'hosted.git'), join(directory, 'work')];
  await hosting.create(hosted);
  await git('init', '-q', '-b', 'main', work);
  const commit = async (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(work, name, '..'), { recursive: true });
      await writeFile(join(work, name), content);
    }
    await git('-C', work, 'add', '.');
    await git('-C', work, 'commit', '-qm', 'a change');
    await git('-C', work, 'push', '-q', hosted, 'main');
    return git('-C', work, 'rev-parse', 'HEAD');
  };
  return { directory, hosted, work, commit };
}

test('a hosted repository is cloned over HTTP with every version of the protocol', async (t) => {
  const { directory, hosted, commit } = await fixture(t);
  const head = await commit({ 'readme.md': 'hello', 'more/file': 'x'.repeat(100_000) });
  const server = createServer((request, response) => {
    const protocol = request.headers['git-protocol'] as string | undefined;
    const answering =
      request.method === 'GET'
        ? hosting.advertiseRefs(hosted, { protocol }).then((body) => void response.end(body))
        : hosting.uploadPack(hosted, request, () => response, { protocol }).then(() => void response.end());
    const kind = request.method === 'GET' ? 'advertisement' : 'result';
    response.setHeader('Content-Type', `application/x-git-upload-pack-${kind}`);
    answering.catch(() => response.destroy());
  });
  const listening = once(server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  t.teardown(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
  for (const version of ['0', '1', '2']) {
    const clone = join(directory, `clone-${version}`);
    await git('-c', `protocol.version=${version}`, 'clone', '-q', url, clone);
    t.is(await git('-C', clone, 'rev-parse', 'HEAD'), head, `version ${version}`);
  }
  await git('clone', '-q', '--depth=1', '--filter=blob:none', '--bare', url, join(directory, 'small'));
});

test('a directory that is no repository is refused with the message of git', async (t) => {
  const { directory } = await fixture(t);
  await t.throwsAsync(hosting.advertiseRefs(join(directory, 'nothing'), {}), { message: /git upload-pack: .*nothing/ });
});

test('workflows of the default branch are found', async (t) => {
  const { hosted, work, commit } = await fixture(t);
  t.false(await hosting.hasWorkflows(hosted));
  await commit({ 'readme.md': 'hello', '.github/workflows/readme.md': 'none here' });
  t.false(await hosting.hasWorkflows(hosted));
  await git('-C', work, 'checkout', '-q', '-b', 'other');
  await commit({ '.github/workflows/build.yml': 'on: push' });
  await git('-C', work, 'push', '-q', hosted, 'other');
  t.false(await hosting.hasWorkflows(hosted));
  await git('-C', work, 'push', '-q', hosted, 'other:main');
  t.true(await hosting.hasWorkflows(hosted));
});

test('files of a killed push are removed, and many packs are repacked', async (t) => {
  const { hosted, commit } = await fixture(t);
  await git('-C', hosted, 'config', 'receive.unpackLimit', '1');
  for (let number = 0; number < 10; number++) await commit({ file: String(number) });
  const left = ['objects/tmp_objdir-incoming-x', 'objects/pack/tmp_pack_x', 'refs/heads/main.lock', 'HEAD.lock'];
  await mkdir(join(hosted, left[0] ?? ''));
  for (const path of left.slice(1)) await writeFile(join(hosted, path), '');
  await hosting.cleanUp(hosted);
  const names = await readdir(hosted, { recursive: true });
  t.deepEqual(
    names.filter((name) => /tmp_|\.lock$/.test(name)),
    [],
  );
  t.true(names.filter((name) => name.endsWith('.pack')).length < 3);
  await git('-C', hosted, 'fsck', '--strict');
});

test('readers see all old refs or all new ones, and an earlier state can still be fetched', async (t) => {
  const { directory, hosted, work, commit } = await fixture(t);
  const first = await commit({ file: 'one' });
  const second = await commit({ file: 'two' });
  const staging = await hosting.openStaging(hosted);
  const names = Array.from({ length: 40 }, (_, index) => `refs/heads/b${index}`);
  const turns = [first, second, first, second];
  let published = false;
  const seen = new Set<string>();
  const reading = (async () => {
    while (!published) {
      const lines = (await git('ls-remote', '--heads', hosted, 'b*')).split('\n');
      seen.add([...new Set(lines.map((line) => line.slice(0, 40)))].join());
    }
  })();
  for (const oid of turns) {
    await git('-C', work, 'push', '-q', '--force', staging, ...names.map((name) => `${oid}:${name}`));
    await git('-C', work, 'tag', '-f', '-a', '-m', 'a tag', 'v1', oid);
    await git('-C', work, 'push', '-q', '--force', staging, 'v1');
    await hosting.publishRefs(hosted);
  }
  published = true;
  await reading;
  t.deepEqual(
    [...seen].filter((each) => !['', first, second].includes(each)),
    [],
  );
  t.is(await git('-C', hosted, 'rev-parse', 'v1^{commit}'), second);
  t.is(await git('-C', hosted, 'for-each-ref', 'refs/heads/main'), '', 'what staging does not have is gone');
  await git('-C', staging, 'symbolic-ref', 'HEAD', 'refs/heads/b7');
  await hosting.publishRefs(hosted);
  await git('clone', '-q', hosted, join(directory, 'clone'));
  t.is(await git('-C', join(directory, 'clone'), 'symbolic-ref', '--short', 'HEAD'), 'b7');
  await git('-C', hosted, 'fsck', '--strict');
});

test('the content of a large file has a path of its own', (t) => {
  const oid = 'ab'.repeat(32);
  t.is(lfsObjectPath('/r.git', oid), `/r.git/lfs/objects/ab/ab/${oid}`);
  t.true(isLfsOid(oid));
  t.false(isLfsOid('../'.repeat(21)));
});

test('the programs of a disconnected reader exit', async (t) => {
  const { hosted, commit } = await fixture(t);
  await commit({ file: 'x' });
  const leave = new AbortController();
  const stuck = spawn('sleep', ['60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => void stuck.kill('SIGKILL'));
  const reading = hosting.uploadPack(hosted, stuck.stdout, () => t.fail() as never, { signal: leave.signal });
  setImmediate(() => leave.abort(new Error('gone')));
  await t.throwsAsync(reading);
});
