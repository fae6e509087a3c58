import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { projectRoot } from './testing/pack-packages.js';

const program = path.join(projectRoot, 'scripts/release.mjs');

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** A project of three packages, with a registry that keeps what is published to it. */
async function startProject(t: ExecutionContext) {
  const root = await mkdtemp(path.join(tmpdir(), 'gantry-release-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const published: string[] = [];
  /** The name of a package that is refused. */
  const refused = new Set<string>();
  const registry = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const answer = (status: number, body: object): void => void response.writeHead(status).end(JSON.stringify(body));
    if (request.method === 'PUT') {
      const { versions } = (await json(request)) as { readonly versions: Readonly<Record<string, object>> };
      const [version = ''] = Object.keys(versions);
      if (refused.delete(name)) return answer(403, { error: 'not now' });
      published.push(`${name}@${version}`);
      return answer(201, { ok: true });
    }
    const version = published.find((each) => each.startsWith(`${name}@`))?.slice(name.length + 1);
    if (version === undefined) return answer(404, { error: 'absent' });
    return answer(200, { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } });
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    registry.closeAllConnections();
    registry.close();
  });
  const { port } = registry.address() as AddressInfo;
  const write = async (file: string, content: object | string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(
      path.join(root, file),
      typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
    );
  };
  await write('package.json', { name: 'project', version: '0.1.0', private: true, workspaces: ['core', 'drivers/*'] });
  await write('core/package.json', { name: '@x/core', version: '0.1.0' });
  await write('drivers/a/package.json', {
    name: '@x/a',
    version: '0.1.0',
    peerDependencies: { '@x/core': '^0.1.0' },
    dependencies: { '@x/lib': '0.1.0' },
  });
  await write('drivers/lib/package.json', { name: '@x/lib', version: '0.1.0' });
  await write('drivers/test/package.json', { name: '@x/test', version: '0.1.0', private: true });
  await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### For users\n\n- Something new.\n');
  await write('changes/README.md', '- No change.\n');
  await write(
    'changes/two.md',
    '### For driver authors\n\n- A [hook](../core/README.md).\n\n### For users\n\n- Two\n  lines.\n',
  );
  await write(
    '.npmrc',
    `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=any\nupdate-notifier=false\n`,
  );
  await write('.gitignore', 'node_modules\n.npm-cache\n');
  const env = {
    ...process.env,
    npm_config_cache: path.join(root, '.npm-cache'),
    npm_config_registry: `http://127.0.0.1:${port}/`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'tester'],
        [`GIT_${who}_EMAIL`, 'tester@example.com'],
      ]),
    ),
  };
  const run = (file: string, args: readonly string[]): Promise<Outcome> =>
    promisify(execFile)(file, [...args], { cwd: root, env }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
    );
  const git = async (...args: string[]): Promise<string> => (await run('git', args)).output.trim();
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Begin');
  return {
    published,
    refused,
    git,
    release: (...args: string[]) => run(process.execPath, [program, ...args]),
    read: (file: string) => readFile(path.join(root, file), 'utf8'),
    write,
  };
}

test('a release raises every version, dates the changelog, tags and publishes in the order of dependencies', async (t) => {
  t.timeout(300_000);
  const { published, git, read, refused, release } = await startProject(t);
  const dry = await release('0.2.0', '--dry-run', '--skip-tests');
  t.is(dry.code, 0, dry.output);
  t.regex(
    dry.output,
    /0\.1\.0 becomes 0\.2\.0 in 5 packages.*- Something new\..*would publish @x\/core@0\.2\.0 from core/s,
  );
  t.is(await git('status', '--porcelain'), '');
  t.deepEqual(published, []);

  refused.add('@x/a');
  const interrupted = await release('0.2.0', '--skip-tests');
  t.is(interrupted.code, 1, interrupted.output);
  t.deepEqual(published, ['@x/lib@0.2.0', '@x/core@0.2.0']);
  const finished = await release('0.2.0', '--skip-tests');
  t.is(finished.code, 0, finished.output);
  t.deepEqual(published, ['@x/lib@0.2.0', '@x/core@0.2.0', '@x/a@0.2.0']);
  t.like(JSON.parse(await read('drivers/a/package.json')), {
    version: '0.2.0',
    peerDependencies: { '@x/core': '^0.2.0' },
    dependencies: { '@x/lib': '0.2.0' },
  });
  t.regex(
    await read('CHANGELOG.md'),
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### For users\n\n- Something new\.\n- Two\n {2}lines\.\n\n### For driver authors\n\n- A \[hook\]\(core\/README\.md\)\.\n$/,
  );
  t.is(await git('ls-files', 'changes'), 'changes/README.md');
  t.is(await git('tag'), 'v0.2.0');
  t.is(await git('log', '-1', '--format=%s'), 'Release 0.2.0');
});

test('what is in the way of a release is named, and nothing is changed', async (t) => {
  t.timeout(300_000);
  const { git, release, write } = await startProject(t);
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, output } = await release(...args, '--skip-tests');
    t.is(code, 1);
    return output.trim();
  };
  t.is(await refusal('0.1.0'), 'release: 0.1.0 is not newer than 0.1.0');
  t.is(await refusal('next'), 'release: "next" is no version such as 1.2.3');
  await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
  t.regex(await refusal('0.2.0'), /the work tree has changes/);
  await write('changes/two.md', 'Nothing to see.\n');
  await git('commit', '--quiet', '-a', '-m', 'Say nothing');
  t.is(await refusal('0.2.0'), 'release: changes/two.md has no line that begins with "- "');
  await git('rm', '--quiet', 'changes/two.md');
  await git('commit', '--quiet', '-m', 'Empty');
  t.is(await refusal('0.2.0'), 'release: neither CHANGELOG.md nor changes says of anything that it is unreleased');
  await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- More.\n');
  await write('test/published-packages/contracts/core.txt', '=== A\nold\n');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Freeze');
  await git('tag', 'v0.1.0');
  await write('test/published-packages/contracts/core.txt', '=== A\nnew\n');
  await git('commit', '--quiet', '-a', '-m', 'Break');
  t.regex(
    await refusal('0.1.1'),
    /public contracts changed since v0\.1\.0, in .*core\.txt: 0\.1\.1 must not break packages/,
  );
  t.is((await release('0.2.0', '--dry-run', '--skip-tests')).code, 0);
});
