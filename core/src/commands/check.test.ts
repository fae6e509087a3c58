import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { coreAlone } from '../configuration/distribution.js';
import { definePlugin } from '../kernel/definitions/plugin.js';
import { Kernel } from '../kernel/kernel.js';
import { checkCommand, checkHandler } from './check.js';
import { serveControl } from './control-socket.js';
import { packageCommand, packageCommandHandler } from './package-command.js';

async function directoryOf(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-check-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await writeFile(path.join(directory, 'gantry.json'), JSON.stringify({ execRoot: directory, dataRoot: directory }));
  return directory;
}

/** A daemon one of whose packages has left these things behind; what is `stuck` cannot be removed. */
async function daemonWith(t: ExecutionContext, left: Set<string>): Promise<string> {
  const directory = await directoryOf(t);
  const findOrphans = async () =>
    [...left].map((name) => ({
      what: 'layer',
      name,
      reason: 'nothing needs it',
      bytes: 7,
      isQuarantined: name.startsWith('quarantine/'),
      remove: async () => {
        if (name === 'stuck') throw new Error('it is stuck');
        left.delete(name);
      },
    }));
  const messy = definePlugin({ id: 'messy', configSchema: Type.Object({}), setup: () => ({ findOrphans }) });
  const clean = definePlugin({ id: 'clean', configSchema: Type.Object({}), setup: () => undefined });
  const kernel = new Kernel({ config: { dataRoot: directory, execRoot: directory }, use: [messy, clean] });
  await kernel.start();
  t.teardown(() => kernel.stop());
  t.teardown(await serveControl(directory, checkHandler(kernel)));
  return directory;
}

async function check(directory: string, ...args: string[]) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const code = await checkCommand(['--config', path.join(directory, 'gantry.json'), ...args], print, coreAlone);
  return { code, lines };
}

test('orphans are listed, with exit code 1', async (t) => {
  const directory = await daemonWith(t, new Set(['a']));
  t.deepEqual(await check(directory), {
    code: 1,
    lines: ['PACKAGE  WHAT   NAME  BYTES  REASON', 'messy    layer  a     7      nothing needs it'],
  });
});

test('orphans are removed on request, with exit code 0', async (t) => {
  const left = new Set(['a', 'b']);
  const directory = await daemonWith(t, left);
  t.is((await check(directory, '--remove')).code, 0);
  t.is(left.size, 0);
  t.deepEqual(await check(directory), { code: 0, lines: ['no orphans found'] });
});

test('quarantined records are listed, and removed only by name or all together', async (t) => {
  const left = new Set(['a', 'quarantine/b', 'quarantine/c', 'quarantine/d']);
  const directory = await daemonWith(t, left);
  t.is((await check(directory, '--remove')).code, 1);
  t.deepEqual([...left], ['quarantine/b', 'quarantine/c', 'quarantine/d']);
  t.is((await check(directory, '--discard', 'quarantine/c', '--discard', 'nothing')).code, 1);
  t.deepEqual([...left], ['quarantine/b', 'quarantine/d']);
  t.is((await check(directory, '--discard', 'all')).code, 0);
  t.is(left.size, 0);
});

test('a failed removal is reported, with exit code 1', async (t) => {
  const left = new Set(['stuck', 'b']);
  const { code, lines } = await check(await daemonWith(t, left), '--remove', '--json');
  t.is(code, 1);
  t.deepEqual([...left], ['stuck']);
  t.like(JSON.parse(lines.join('')), [{ name: 'stuck', removed: false, failure: 'it is stuck' }, { removed: true }]);
});

test('without a running daemon the command fails', async (t) => {
  const directory = await directoryOf(t);
  const error = await t.throwsAsync(check(directory));
  t.is(error?.message, `no daemon runs on ${directory}; what a crash left is removed when one starts`);
});

test('a command of a package is answered line by line, by the daemon that runs', async (t) => {
  const directory = await directoryOf(t);
  let began = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const commands = {
    async *greet([name]: readonly string[]) {
      yield 'hello';
      if (name === undefined) throw new Error('greet: a name is missing');
      yield name;
      return name === 'guest' ? 3 : undefined;
    },
    async *hang() {
      began();
      await new Promise<never>(() => {});
      yield 'never';
    },
  };
  const greeter = definePlugin({ id: 'greeter', configSchema: Type.Object({}), setup: () => ({ commands }) });
  const kernel = new Kernel({ config: { dataRoot: directory, execRoot: directory }, use: [greeter] });
  await kernel.start();
  t.teardown(() => kernel.stop());
  const end = await serveControl(directory, packageCommandHandler(kernel));
  const ask = async (...args: string[]) => {
    const lines: (string | number)[] = [];
    const withFile = [...args, '--config', path.join(directory, 'gantry.json')];
    lines.push(await packageCommand(withFile, (line) => lines.push(line), coreAlone));
    return lines;
  };
  t.deepEqual(await ask('greet', 'ada'), ['hello', 'ada', 0]);
  t.deepEqual(await ask('greet', 'guest', '--loudly'), ['hello', 'guest', 3]);
  await t.throwsAsync(
    packageCommand(['greet', '--config'], () => {}, coreAlone),
    { message: /--config needs a file/ },
  );
  await t.throwsAsync(ask('greet'), { message: 'greet: a name is missing' });
  await t.throwsAsync(ask('part'), { message: 'unknown command "part"; this daemon knows check, driver, greet, hang' });
  const interrupted = ask('hang');
  await hasBegun;
  await Promise.all([t.throwsAsync(interrupted, { message: /the daemon on .* ended before "hang" did/ }), end()]);
  await t.throwsAsync(ask('greet'), {
    message: `no daemon runs on ${directory} that could answer "greet"; see gantryd --help`,
  });
});

test('what no daemon answers a package does itself, when it offers that, with the configuration', async (t) => {
  const directory = await directoryOf(t);
  const source = `import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
  export default {
    id: 'helper',
    configSchema: Type.Object({}),
    offlineCommands: {
      async *help(args, { settings: { engine, packages }, configFile, isDaemonRunning }) {
        yield [args, engine.dataRoot, Object.keys(packages), configFile.endsWith('gantry.json'), isDaemonRunning].join(' ');
        return 2;
      },
    },
    setup() { throw new Error('nothing starts'); },
  };`;
  const manifest = { name: 'helper', version: '1.0.0', type: 'module', exports: './index.js' };
  const gantry = { plugin: { id: 'helper' } };
  await writeFile(path.join(directory, 'index.js'), source);
  await writeFile(path.join(directory, 'package.json'), JSON.stringify({ ...manifest, gantry }));
  const config = { execRoot: directory, dataRoot: '/data', packages: [directory] };
  await writeFile(path.join(directory, 'gantry.json'), JSON.stringify(config));
  const lines: string[] = [];
  const args = ['help', '--config', path.join(directory, 'gantry.json'), 'one', '--two'];
  t.is(await packageCommand(args, (line) => lines.push(line), coreAlone), 2);
  // A daemon that was started before the package had the command.
  const end = await serveControl(directory, packageCommandHandler(new Kernel({ config: {}, use: [] })));
  t.is(await packageCommand(args, (line) => lines.push(line), coreAlone), 2);
  await end();
  t.deepEqual(lines, ['one,--two /data helper true false', 'one,--two /data helper true true']);
});

test('the control socket belongs to its user, and replaces a stale one', async (t) => {
  const directory = await directoryOf(t);
  await writeFile(path.join(directory, 'control.sock'), '');
  const end = await serveControl(directory, async function* () {});
  t.is((await stat(path.join(directory, 'control.sock'))).mode & 0o777, 0o600);
  await end();
  t.deepEqual(await readdir(directory), ['gantry.json']);
});
