import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { loadsOnly } from './loads-only.js';

const require = createRequire(import.meta.url);
const core = fileURLToPath(new URL('..', import.meta.url));

async function scratch(t: ExecutionContext): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'gantry-bundle-')));
  t.teardown(() => rm(folder, { recursive: true }));
  return folder;
}

/** A tree with one module, and what loads the bundle that was made of it. */
async function treeWithBundle(t: ExecutionContext, facts: object = {}): Promise<{ root: string; loader: string }> {
  const root = await scratch(t);
  const folder = path.join(root, 'core/bundle');
  await mkdir(path.join(folder, 'dist'), { recursive: true });
  for (const name of ['load.cjs', 'stacks.cjs']) await cp(path.join(core, 'bundle', name), path.join(folder, name));
  const module = path.join(root, 'module.js');
  await writeFile(module, 'one');
  const { size, mtimeMs } = await stat(module);
  const { version: node, arch: architecture } = process;
  const index = { root, node, architecture, inputs: [['module.js', size, mtimeMs]], ...facts };
  await writeFile(path.join(folder, 'dist/index.json'), JSON.stringify(index));
  return { root, loader: path.join(folder, 'load.cjs') };
}

const isCurrent = (loader: string): boolean => (require(loader) as { isCurrent(): boolean }).isCurrent();

test('a bundle is used as long as the modules are those that it was made of', async (t) => {
  const { root, loader } = await treeWithBundle(t);
  t.true(isCurrent(loader));
  await writeFile(path.join(root, 'module.js'), 'two');
  t.false(isCurrent(loader));
  await rm(path.join(root, 'module.js'));
  t.false(isCurrent(loader));
});

for (const [what, facts] of Object.entries({
  'by another Node': { node: 'v20.0.0' },
  'for another processor': { architecture: 'none' },
  'elsewhere and was moved': { root: '/elsewhere' },
})) {
  test(`a bundle that was made ${what} is not used`, async (t) => {
    const { loader } = await treeWithBundle(t, facts);
    t.false(isCurrent(loader));
  });
}

test('where no bundle was made there is none', async (t) => {
  const { root, loader } = await treeWithBundle(t);
  await rm(path.join(root, 'core/bundle/dist'), { recursive: true });
  t.false(isCurrent(loader));
});

test('a stack names the source of a line that comes from one', async (t) => {
  const { root, loader } = await treeWithBundle(t);
  const bundle = path.join(root, 'core/bundle/dist/program');
  const text = '(function (module) {\nmodule.exports = () => {\nthrow new TypeError("broken"); }; })';
  await writeFile(`${bundle}.cjs`, text);
  await writeFile(`${bundle}.sources.json`, JSON.stringify(['core/src/a.ts', 'core/src/b.ts']));
  await writeFile(`${bundle}.lines`, Buffer.from(Uint32Array.of(0, 0, 0, 0, 1, 42).buffer));
  const program = `try { require(${JSON.stringify(loader)}).load('program')(); } catch (error) { console.log(error.stack); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  const [head, first] = stdout.split('\n');
  t.is(head, 'TypeError: broken');
  t.true(first?.includes(`${root}/core/src/b.ts:42`), first);
});

test('a daemon without packages of others needs the known ones only', async (t) => {
  for (const argv of [[], ['--help'], ['--log-level', 'debug'], ['check']]) {
    t.true(await loadsOnly(argv, new Set()), argv.join(' '));
  }
});

test('a daemon with a package that is not known needs more, and so do commands about packages', async (t) => {
  const folder = await scratch(t);
  const config = path.join(folder, 'gantry.json');
  const own = path.join(folder, 'own');
  await mkdir(own);
  await writeFile(path.join(own, 'package.json'), JSON.stringify({ name: 'own', gantry: { plugin: { id: 'own' } } }));
  for (const key of ['packages', 'extraPackages']) {
    await writeFile(config, JSON.stringify({ [key]: [{ package: './own', optional: true }] }));
    t.false(await loadsOnly(['--config', config], new Set()), key);
    t.true(await loadsOnly(['--config', config], new Set([own])), key);
  }
  await writeFile(config, '{ "extraPackages": ["not-installed"] }');
  t.false(await loadsOnly(['--config', config], new Set([own])));
  t.false(await loadsOnly(['driver', 'list'], new Set([own])));
});
