import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { startDaemon } from '@gantry/test-nodes';
import anyTest, { type TestFn } from 'ava';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { LocalRegistry } from './testing/local-registry.js';
import { type PackedPackage, type PublishedPackage, packPackages, publishedPackages } from './testing/pack-packages.js';

interface Release {
  readonly published: readonly PublishedPackage[];
  readonly packed: readonly PackedPackage[];
  /** Where the tarballs are. */
  readonly tarballs: string;
}

const test = anyTest as TestFn<Release>;
const run = promisify(execFile);

test.before(async (t) => {
  t.timeout(600_000);
  const tarballs = await mkdtemp(path.join(tmpdir(), 'gantry-pack-'));
  const published = await publishedPackages();
  const names = published.map(({ name }) => name);
  t.context = { published, packed: await packPackages(names, tarballs), tarballs };
});

test.after.always(async (t) => {
  if (t.context.tarballs !== undefined) await rm(t.context.tarballs, { recursive: true });
});

test('the tarball of every package has what its exports name, with types, its licence and no tests', async (t) => {
  t.timeout(600_000);
  const { packed, published, tarballs } = t.context;
  t.deepEqual(packed.map(({ name }) => name).sort(), published.map(({ name }) => name).sort());
  for (const { name, filename, files } of packed) {
    const paths = files.map((file) => file.path);
    t.true(paths.includes('LICENSE'), name);
    t.deepEqual(
      paths.filter((file) => /\.test\.|\.tsbuildinfo$|^src\//.test(file) && !file.startsWith('templates/')),
      [],
      name,
    );
    const tarball = new Uint8Array(await readFile(path.join(tarballs, filename)));
    const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer } });
    t.deepEqual(
      messages.filter(({ type }) => type !== 'suggestion').map((message) => formatMessage(message, pkg)),
      [],
      name,
    );
    const { problems = [] } = (await checkPackage(createPackageFromTarballData(tarball))) as { problems?: unknown[] };
    t.deepEqual(problems.filter(concernsModules), [], name);
  }
});

test('no two packages bring a program of the same name, of which npm would link only one', (t) => {
  const programs = t.context.published.flatMap(({ manifest }) => Object.keys((manifest.bin as object) ?? {}));
  t.deepEqual([...programs].sort(), [...new Set(programs)].sort());
});

/** The packages are ES modules: `require` of them, and resolution as before Node 12, are no use that they have. */
const concernsModules = (problem: unknown): boolean => {
  const { resolutionKind, kind } = problem as { readonly resolutionKind?: string; readonly kind: string };
  return resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs' && kind !== 'CJSResolvesToESM';
};

test('in an empty folder, npm installs the engine, a driver is built and tested, and the daemon runs with it', async (t) => {
  t.timeout(600_000);
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-published-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const { packed, published, tarballs } = t.context;
  const registry = await LocalRegistry.start(packed, published, tarballs);
  t.teardown(() => registry.stop());
  const npm = (cwd: string, ...args: string[]) =>
    run('npm', [...args, '--registry', registry.url, '--cache', path.join(directory, 'cache'), '--ignore-scripts'], {
      cwd,
      env: { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false', NODE_ENV: '' },
    });

  await npm(directory, 'create', '--yes', 'gantry-driver', 'volume', 'scratch');
  const driver = path.join(directory, 'gantry-volume-scratch');
  // Whether the types of the published packages are complete.
  const settings = path.join(driver, 'tsconfig.json');
  const { compilerOptions, ...others } = JSON.parse(await readFile(settings, 'utf8'));
  await writeFile(
    settings,
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false }, ...others }),
  );
  await npm(driver, 'install');
  const kit = await npm(driver, 'test');
  t.regex(kit.stdout, /^[1-9]\d* passed, 0 failed$/m);

  const engine = path.join(directory, 'engine');
  await mkdir(engine);
  await writeFile(path.join(engine, 'package.json'), '{ "private": true }');
  await npm(engine, 'install', 'gantry', driver);
  const program = path.join(engine, 'node_modules/.bin/gantryd');
  const images = path.join(directory, 'images');
  const flags = ['--directory', images, '--network', 'none', 'busybox', 'echo', 'hello'];
  t.is((await run('npx', ['gantry', 'run', ...flags], { cwd: engine })).stdout, 'hello\n');
  const daemon = await startDaemon(t, {
    program,
    extraPackages: [path.join(engine, 'node_modules/gantry-volume-scratch')],
    environment: { npm_config_registry: registry.url, npm_config_cache: path.join(directory, 'cache') },
  });
  // It answers a moment before it says that it is ready.
  while (!daemon.log().includes('"event":"daemon.ready"')) await delay(10);
  t.regex(daemon.log(), /"event":"daemon.ready".*"code":"bundle"/);
  await daemon.client.createVolume({ Name: 'scratch', Driver: 'scratch' });
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'echo kept > /v/file; cat /v/file'],
    HostConfig: { Binds: ['scratch:/v'] },
  });
  await container.start();
  const { StatusCode } = await container.wait();
  const output = await container.logs({ stdout: true, stderr: true });
  t.is(StatusCode, 0, output.toString());
  t.is(output.toString('utf8', 8), 'kept\n');
  t.is(
    await readFile(path.join((await daemon.client.getVolume('scratch').inspect()).Mountpoint, 'file'), 'utf8'),
    'kept\n',
  );

  const version = published.find(({ name }) => name === '@gantry/tracing')?.manifest.version;
  const added = await daemon.command('driver', 'add', `@gantry/tracing@${version}`);
  t.deepEqual(added, { code: 0, said: `@gantry/tracing ${version}: tracing joined\n` });
  t.regex((await daemon.command('driver', 'list')).said, /@gantry\/tracing/);
  t.deepEqual(await daemon.command('driver', 'remove', 'tracing'), { code: 0, said: 'tracing: tracing left\n' });
  t.is((await daemon.command('driver', 'add', '@gantry/tracing@999.0.0')).code, 1);
  t.notRegex((await daemon.command('driver', 'list')).said, /tracing/);
});
