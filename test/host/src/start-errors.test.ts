import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('../../../gantry/bin/gantryd.js', import.meta.url));

interface Ended {
  readonly code: number | undefined;
  readonly errors: string;
}

/** Runs the daemon to its end. */
function run(args: readonly string[], options: { readonly uid?: number } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { ...options, timeout: 100_000 },
      (_error, _out, errors) => resolve({ code: child.exitCode ?? undefined, errors }),
    );
  });
}

async function directoryFor(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-start-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** One line, and nothing but what to do about it. */
function assertOneLine(t: ExecutionContext, { code, errors }: Ended, words: RegExp): void {
  t.is(code, 1);
  const said = errors.split('\n').filter((line) => line.startsWith('gantryd: '));
  t.is(said.length, 1, errors);
  t.regex(said[0] ?? '', words);
}

test('an invalid configuration file is named with the position', async (t) => {
  const file = path.join(await directoryFor(t), 'gantry.json');
  await writeFile(file, '{ "dataRoot": ');
  assertOneLine(t, await run(['--config', file]), /gantry\.json is not JSON .*correct it/);
});

test('an unknown key is named with its path', async (t) => {
  const file = path.join(await directoryFor(t), 'gantry.json');
  await writeFile(file, JSON.stringify({ drivers: { 'network/bridge': { tabel: 'x' } } }));
  assertOneLine(
    t,
    await run(['--config', file, '--validate']),
    /config\.drivers\["network\/bridge"\]\.tabel: there is no such key/,
  );
});

test('to a user without a session the error names what is missing', async (t) => {
  const directory = await directoryFor(t);
  const ended = await run(['--data-root', path.join(directory, 'data'), '--exec-root', path.join(directory, 'run')], {
    uid: 65_534,
  });
  assertOneLine(t, ended, /containers of an ordinary user need more of this host: /);
});

test('a socket that another daemon serves is kept', async (t) => {
  const daemon = await startDaemon(t);
  const directory = await directoryFor(t);
  const file = path.join(directory, 'gantry.json');
  const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  await writeFile(
    file,
    JSON.stringify({
      ...roots,
      drivers: {
        'network/bridge': { defaultBridge: `se${process.pid.toString(36)}`, table: `se${process.pid.toString(36)}` },
        'network/ipvlan': { owner: `se${process.pid.toString(36)}` },
        'network/macvlan': { owner: `se${process.pid.toString(36)}` },
        'runtime/runc': { cgroupParent: `/se${process.pid.toString(36)}` },
      },
      plugins: { 'engine-api': { hosts: [`unix://${daemon.socket}`] } },
    }),
  );
  assertOneLine(t, await run(['--config', file]), /gantry\.sock/);
  t.is((await daemon.client.ping()).toString(), 'OK');
});

test('data that another daemon uses is kept', async (t) => {
  const daemon = await startDaemon(t);
  const { directory } = daemon;
  const ended = await run(['--data-root', path.join(directory, 'data'), '--exec-root', path.join(directory, 'run2')]);
  assertOneLine(t, ended, /state\/lmdb/);
});

test('the cgroup driver systemd without systemd is refused by its name', async (t) => {
  if (existsSync('/run/systemd/system')) return t.pass('this host runs systemd');
  const directory = await directoryFor(t);
  const file = path.join(directory, 'gantry.json');
  const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const plugins = { 'engine-api': { hosts: [`unix://${path.join(directory, 'gantry.sock')}`] } };
  const drivers = { 'runtime/runc': { cgroupDriver: 'systemd' } };
  await writeFile(file, JSON.stringify({ ...roots, plugins, drivers }));
  assertOneLine(t, await run(['--config', file]), /cgroupDriver: "systemd" needs systemd as init system/);
});
