import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadPackage } from './load-package.js';

async function packageWith(t: ExecutionContext, gantry: unknown, code: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-load-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const place = path.join(directory, 'fixture');
  await mkdir(place);
  const manifest = { name: 'fixture', version: '1.0.0', type: 'module', exports: './index.js', gantry };
  await writeFile(path.join(place, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(place, 'index.js'), code);
  return directory;
}

const driver = (id: string, major = 1) =>
  `export default { id: '${id}', provides: { kind: 'bell', version: { major: ${major}, minor: 0 }, token: Symbol.for('b') }, configSchema: {}, create: () => ({}) };`;

test('a package by path is loaded through its exports', async (t) => {
  const directory = await packageWith(t, { driver: { id: 'big', provides: 'bell/1.0' } }, driver('big'));
  const units = await loadPackage('./fixture', directory, false);
  t.deepEqual(
    units.map((unit) => unit.name),
    ['bell/big'],
  );
});

test('several drivers of one package are found under their export names', async (t) => {
  const code = driver('big').replace('export default', 'export const large =');
  const directory = await packageWith(t, { drivers: [{ id: 'big', provides: 'bell/1.0', export: 'large' }] }, code);
  t.is((await loadPackage('./fixture', directory, false)).length, 1);
});

test('a package that is not installed is named with what to do', async (t) => {
  await t.throwsAsync(loadPackage('@gantry/absent', tmpdir(), false), {
    message: /^package @gantry\/absent is not installed: run "npm install @gantry\/absent"/,
  });
});

test('a package without a manifest is refused', async (t) => {
  const directory = await packageWith(t, undefined, '');
  await t.throwsAsync(loadPackage('./fixture', directory, false), { message: /has no "gantry" manifest$/ });
});

test('a manifest with a wrong field is refused with its place', async (t) => {
  const directory = await packageWith(t, { driver: { id: 'Big', provides: 'bell/1.0' } }, driver('Big'));
  await t.throwsAsync(loadPackage('./fixture', directory, false), { message: /gantry\.driver\.id .* is "Big"/ });
});

test('a manifest that disagrees with the code is refused, naming both sides', async (t) => {
  const directory = await packageWith(t, { driver: { id: 'big', provides: 'bell/1.0' } }, driver('small'));
  await t.throwsAsync(loadPackage('./fixture', directory, false), {
    message: 'package fixture: its manifest says driver "big", its code says "small"',
  });
});

test('a driver made for another major version is refused, naming both', async (t) => {
  const directory = await packageWith(t, { driver: { id: 'big', provides: 'bell/2.0' } }, driver('big'));
  await t.throwsAsync(loadPackage('./fixture', directory, false), {
    message: /provides bell\/2\.0, and this engine has bell\/1\.0/,
  });
});

test('code that throws on import is reported with the package', async (t) => {
  const directory = await packageWith(t, { driver: { id: 'big', provides: 'bell/1.0' } }, `throw new Error('boom');`);
  await t.throwsAsync(loadPackage('./fixture', directory, false), {
    message: 'package fixture cannot be loaded: boom',
  });
});
