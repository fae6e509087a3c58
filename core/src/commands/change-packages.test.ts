import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { coreAlone } from '../configuration/distribution.js';
import { writeDriver } from '../kernel/testing/write-driver.js';
import { askDaemon } from './control-socket.js';
import { driverCommand } from './driver-command.js';

const program = fileURLToPath(new URL('../../bin/gantryd.js', import.meta.url));
const typebox = import.meta.resolve('@sinclair/typebox');

/** A plugin that has the driver in use while a file beside it says so. */
const user = (file: string): string => `
  import { existsSync } from 'node:fs';
  import { Type } from '${typebox}';
  const use = { driver: 'volume/loud', user: 'volume data of container c1' };
  const hooks = { driversInUse: () => existsSync('${file}') ? [use] : [] };
  export default { id: 'user', configSchema: Type.Object({}), setup: () => hooks };
`;

async function setUp(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-change-'));
  const daemons: ChildProcess[] = [];
  t.teardown(async () => {
    for (const daemon of daemons) {
      if (daemon.exitCode === null && daemon.signalCode === null) {
        daemon.kill('SIGKILL');
        await once(daemon, 'exit');
      }
    }
    await rm(directory, { recursive: true, force: true });
  });
  const place = (...names: string[]): string => path.join(directory, ...names);
  await mkdir(place('user'));
  const manifest = { name: 'user', type: 'module', exports: './index.js', gantry: { plugin: { id: 'user' } } };
  await writeFile(place('user/package.json'), JSON.stringify(manifest));
  await writeFile(place('user/index.js'), user(place('in-use')));
  const file = place('gantry.json');
  const roots = { dataRoot: place('data'), execRoot: place('run'), packages: ['./user'] };
  await writeFile(file, JSON.stringify(roots));
  return {
    place,
    content: async () => JSON.parse(await readFile(file, 'utf8')),
    /** Without what sets installations of one version apart. */
    installed: async () =>
      (await readdir(place('gantry-packages')).catch(() => [])).map((name) => name.replace(/-[0-9a-f]{8}$/, '')).sort(),
    write: (name: string, text?: Parameters<typeof writeDriver>[1]) => writeDriver(place(name), text),
    /** `gantryd driver`. */
    run: async (...args: string[]) => {
      const lines: string[] = [];
      await driverCommand([...args, '--config', file], (line) => lines.push(line), coreAlone);
      return lines;
    },
    list: async () => {
      const units = [];
      for await (const { unit } of askDaemon(place('run'), { command: 'driver', action: 'list' })) units.push(unit);
      return (units as { name: string; version: string }[]).map(({ name, version }) => `${name} ${version}`);
    },
    ask: async (request: object) => {
      for await (const answer of askDaemon(place('run'), { command: 'driver', ...request })) return answer;
      return undefined;
    },
    daemon: async () => {
      const daemon = spawn(process.execPath, [program, '--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      daemons.push(daemon);
      let output = '';
      await new Promise<void>((resolve, reject) => {
        daemon.stderr.on('data', (chunk) => {
          output += chunk;
          if (output.includes('daemon.ready')) resolve();
        });
        daemon.once('exit', () => reject(new Error(output)));
      });
      return daemon;
    },
  };
}

test('packages are added, replaced and removed while the daemon runs, and its next start finds the same', async (t) => {
  const { write, run, daemon, list, content, place, installed } = await setUp(t);
  const running = await daemon();
  const first = await write('first');
  t.deepEqual(await run('add', first, '--section', 'volume/loud={"words":"hello"}'), [
    'gantry-volume-loud 1.0.0: volume/loud joined',
  ]);
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.0.0']);
  t.regex(
    (await content()).extraPackages[0],
    /^\.\/gantry-packages\/gantry-volume-loud@1\.0\.0-[0-9a-f]{8}\/node_modules\/gantry-volume-loud$/,
  );
  t.deepEqual((await content()).drivers, { 'volume/loud': { words: 'hello' } });
  await write('first', { version: '1.1.0' });
  t.deepEqual(await run('replace', first), ['gantry-volume-loud 1.1.0: volume/loud replaced']);
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.1.0']);
  await writeFile(place('in-use'), '');
  await t.throwsAsync(run('remove', 'gantry-volume-loud'), {
    message: 'volume/loud is in use by volume data of container c1; remove what uses it first',
  });
  const exit = once(running, 'exit');
  running.kill('SIGTERM');
  await exit;
  await daemon();
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.1.0']);
  // The version that was replaced is removed after the start.
  while ((await installed()).length > 1) await delay(10);
  t.deepEqual(await installed(), ['gantry-volume-loud@1.1.0']);
  await rm(place('in-use'));
  t.deepEqual(await run('remove', 'volume/loud'), ['volume/loud: volume/loud left']);
  t.deepEqual(await list(), ['user 0.0.0']);
  t.like(await content(), { extraPackages: [], drivers: {} });
});

test('what is wrong is named, and changes nothing', async (t) => {
  const { write, run, ask, daemon, list, content, installed, place } = await setUp(t);
  await daemon();
  await run('add', await write('first'));
  const before = await content();
  await write('faulty', { version: '2.0.0', members: 'mount: 1,' });
  await write('again', { version: '2.0.0' });
  await mkdir(place('plain'));
  await writeFile(place('plain/package.json'), '{ "name": "plain", "version": "1.0.0" }');
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['add', './no-such-directory/at-all'], /npm install .*no-such-directory/],
    [['replace', 'x', '--section', 'volume/loud=['], /--section volume\/loud=\[: /],
    [['replace', 'x', '--section', 'volume/loud=1'], /--section volume\/loud=1: a JSON object is wanted/],
    [['remove', 'gantry-volume-quiet'], /names no package gantry-volume-quiet; there are: user, gantry-volume-loud$/],
    [['remove'], /the name of one package or driver is wanted/],
    [['remove', 'user', '--section', 'a={}'], /--section is not accepted/],
  ];
  for (const [args, message] of wrong) await t.throwsAsync(run(...args), { message }, args.join(' '));
  const replace = { action: 'replace', name: 'gantry-volume-loud' };
  const misspelt = { 'volume/loud': { word: 1 } };
  const requests: readonly (readonly [object, RegExp])[] = [
    [{ action: 'swap', name: 'a' }, /^action is "swap": list, add, replace or remove is wanted$/],
    [{ action: 'add' }, /^name is missing: the name of a package is wanted$/],
    [{ action: 'add', name: 'a', entry: 7 }, /^entry is 7: /],
    [{ action: 'add', name: 'a', entry: './a', sections: [] }, /^sections is \[\]: /],
    [{ action: 'add', name: 'a', entry: './a', sections: { b: 1 } }, /^the section "b" is 1: a JSON object is wanted$/],
    [
      { action: 'add', name: 'plain', entry: './plain' },
      /package \.\/plain: its package\.json has no "gantry" manifest/,
    ],
    [
      { ...replace, action: 'add', entry: './again' },
      /^package gantry-volume-loud is there already, in version 1\.0\.0; use "gantryd driver replace"$/,
    ],
    [{ ...replace, entry: './faulty' }, /volume\/loud does not implement volume\/1\.0: it lacks mount$/],
    [{ ...replace, entry: './again', sections: misspelt }, /config\.drivers\["volume\/loud"\]\.word: there is no such/],
    [{ action: 'remove', name: 'user', configFile: place('plain/package.json') }, /^the daemon that runs reads /],
  ];
  for (const [request, message] of requests) await t.throwsAsync(ask(request), { message });
  t.deepEqual(await content(), before);
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.0.0']);
  t.deepEqual(await installed(), ['gantry-volume-loud@1.0.0']);
});

test('without a daemon the configuration is changed, once the package was checked', async (t) => {
  const { write, run, daemon, list, content, installed } = await setUp(t);
  await t.throwsAsync(run('add', await write('faulty', { members: 'mount: 1,' })), { message: /it lacks mount$/ });
  t.deepEqual(await installed(), []);
  const [line] = await run('add', await write('first'));
  t.is(line, 'gantry-volume-loud 1.0.0: the configuration is changed; no daemon runs, the next start makes it so');
  await daemon();
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.0.0']);
  t.is((await content()).extraPackages.length, 1);
});

/** Of a driver whose first start kills the daemon. */
const killing = (mark: string): string => `
  async start() {
    const { existsSync, writeFileSync } = await import('node:fs');
    if (existsSync('${mark}')) return;
    writeFileSync('${mark}', '');
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },`;

test('a daemon that is killed meanwhile undoes an addition, and finishes a replacement, when it starts', async (t) => {
  const { write, run, ask, daemon, list, content, installed, place } = await setUp(t);
  await daemon();
  await t.throwsAsync(run('add', await write('a', { members: killing(place('killed-1')) })), {
    message: /ended before it answered/,
  });
  t.deepEqual([(await content()).extraPackages, await installed()], [undefined, []]);
  await daemon();
  t.deepEqual(await list(), ['user 0.0.0']);
  await write('b');
  await ask({ action: 'add', name: 'gantry-volume-loud', entry: './b' });
  const newer = await write('c', { version: '2.0.0', members: killing(place('killed-2')) });
  await t.throwsAsync(run('replace', newer), { message: /ended before it answered/ });
  // A command that was killed while npm ran.
  await mkdir(place('gantry-packages/.new-999999999-dead/node_modules'), { recursive: true });
  await daemon();
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 2.0.0']);
  const { extraPackages } = await content();
  t.regex(extraPackages.join(), /^\.\/gantry-packages\/gantry-volume-loud@2\.0\.0-[^,]*$/);
  while ((await installed()).length > 1) await delay(10);
  t.deepEqual(await installed(), ['gantry-volume-loud@2.0.0']);
  await t.notThrowsAsync(run('remove', 'gantry-volume-loud'));
});

/** Of a driver whose end kills the daemon. */
const killingAtTheEnd = `
  async stop() {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },`;

test('a daemon that is killed while a driver leaves finishes that when it starts', async (t) => {
  const { write, run, daemon, list, content, installed } = await setUp(t);
  await daemon();
  await run('add', await write('a', { members: killingAtTheEnd }));
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.0.0']);
  await t.throwsAsync(run('remove', 'gantry-volume-loud'), { message: /ended before it answered/ });
  t.deepEqual((await content()).extraPackages, []);
  await daemon();
  t.deepEqual(await list(), ['user 0.0.0']);
  while ((await installed()).length > 0) await delay(10);
  t.deepEqual(await installed(), []);
});

test('SIGHUP joins a package that was put into the configuration by hand', async (t) => {
  const { write, daemon, list, content, place } = await setUp(t);
  const running = await daemon();
  await write('node_modules/gantry-volume-loud');
  const reloaded = new Promise<void>((resolve) => {
    running.stderr?.on('data', (chunk) => {
      if (String(chunk).includes('"joined":["volume/loud"]')) resolve();
    });
  });
  await writeFile(
    place('gantry.json'),
    JSON.stringify({ ...(await content()), extraPackages: ['gantry-volume-loud'] }),
  );
  running.kill('SIGHUP');
  await reloaded;
  t.deepEqual(await list(), ['user 0.0.0', 'volume/loud 1.0.0']);
});
