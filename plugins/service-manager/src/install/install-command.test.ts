import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OfflineContext } from '@gantry/core/driver';
import type { Launcher } from '@gantry/lib-linux/launcher';
import test, { type ExecutionContext } from 'ava';
import { Host } from './host.js';
import { type Installer, installCommand, uninstallCommand } from './install-command.js';

/** A host of files in a temporary directory, whose systemd and groupadd only remember what was asked of them. */
async function startHost(t: ExecutionContext, installer: Installer = { scope: 'system' }) {
  const root = await mkdtemp(join(tmpdir(), 'gantry-install-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  for (const directory of ['etc', 'run/systemd/system', 'proc/sys/fs/inotify']) {
    await mkdir(join(root, directory), { recursive: true });
  }
  await writeFile(join(root, 'etc/group'), 'root:x:0:\ndocker:x:998:ada\n');
  await writeFile(join(root, 'proc/sys/fs/inotify/max_user_instances'), '128\n');
  const calls: string[] = [];
  const enabled = new Set<string>();
  const active = new Set<string>();
  const failing = new Set<string>();
  /** What systemd has read. */
  let read = '';
  const units = async () =>
    (await readdir(join(root, 'etc/systemd/system')).catch((): string[] => [])).filter((name) => name !== '').join();
  const answer = async (program: string, args: readonly string[]): Promise<number> => {
    const call = [program, ...args].join(' ');
    const unit = args.at(-1) ?? '';
    if (args.includes('is-enabled')) return enabled.has(unit) ? 0 : 1;
    if (args.includes('is-active')) return active.has(unit) ? 0 : 3;
    calls.push(call);
    if (failing.has(call)) return 1;
    if (args.includes('daemon-reload')) read = await units();
    const named = args.filter((argument) => argument.startsWith('gantry.'));
    for (const name of named) {
      if (args.includes('enable')) enabled.add(name);
      if (args.includes('start')) active.add(name);
      if (args.includes('disable')) for (const set of [enabled, active]) set.delete(name);
    }
    const groups = join(root, 'etc/group');
    if (program === 'groupadd') await appendFile(groups, `${unit}:x:997:\n`);
    if (program === 'groupdel') {
      const lines = (await readFile(groups, 'utf8')).split('\n').filter((line) => !line.startsWith(`${unit}:`));
      await writeFile(groups, lines.join('\n'));
    }
    return 0;
  };
  const launcher = {
    run: async (program: string, args: readonly string[]) => ({
      code: args.includes('show') ? 0 : await answer(program, args),
      stdout: Buffer.from(read === (await units()) ? 'no\n\nno\n' : 'yes\n'),
      stderr: Buffer.from('it said why\n'),
    }),
  } as unknown as Launcher;
  const installation = {
    host: new Host(launcher, {}, root),
    installer,
    program: { node: '/usr/bin/node', script: '/opt/the engine/100%/gantryd.js' },
  };
  const context = (more: Partial<OfflineContext> = {}) =>
    ({
      settings: {
        engine: { dataRoot: '/var/lib/gantry' },
        packages: { 'engine-api': { hosts: ['unix:///run/gantry.sock'] } },
      },
      configFile: undefined,
      isDaemonRunning: false,
      ...more,
    }) as OfflineContext;
  const collect = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
    const all: string[] = [];
    for await (const line of lines) all.push(line);
    return all;
  };
  return {
    root,
    calls,
    active,
    failing,
    install: (args: readonly string[] = [], more: Partial<OfflineContext> = {}) =>
      collect(installCommand(args, installation, context(more))),
    uninstall: (args: readonly string[] = []) => collect(uninstallCommand(args, installation, context())),
    text: (file: string) => readFile(join(root, file), 'utf8'),
    has: (file: string) => existsSync(join(root, file)),
  };
}

const service = 'etc/systemd/system/gantry.service';
const socket = 'etc/systemd/system/gantry.socket';
const sysctl = 'etc/sysctl.d/60-gantry.conf';

test('the engine becomes a service with a socket for a group, once, and leaves without a trace', async (t) => {
  const { calls, has, install, text, uninstall } = await startHost(t);
  const groups = await text('etc/group');
  await install();
  t.deepEqual(calls, [
    'sysctl --quiet --load /etc/sysctl.d/60-gantry.conf',
    'groupadd --system gantry',
    'systemctl daemon-reload',
    'systemctl enable gantry.socket gantry.service',
    'systemctl start gantry.socket gantry.service',
  ]);
  t.regex(await text(service), /^ExecStart=\/usr\/bin\/node "\/opt\/the engine\/100%%\/gantryd.js" --host fd:\/\/$/m);
  t.regex(await text(service), /^Requires=gantry.socket$/m);
  t.regex(await text(socket), /^ListenStream=\/run\/gantry.sock\nSocketMode=0660\nSocketGroup=gantry$/m);
  t.regex(await text(sysctl), /^fs.inotify.max_user_instances = 1024$/m);

  const again = await install();
  t.is(calls.length, 5, 'nothing is done twice');
  t.true(again.every((line) => line.startsWith('as it should be: ')));

  const left = await uninstall();
  t.deepEqual(calls.slice(5), [
    'systemctl disable --now gantry.socket gantry.service',
    'systemctl daemon-reload',
    'groupdel gantry',
  ]);
  t.deepEqual([service, socket, sysctl].filter(has), []);
  t.is(await text('etc/group'), groups);
  t.is(left.at(-1), 'Data stays in /var/lib/gantry; containers that run go on.');
  await uninstall();
  t.is(calls.length, 8);
});

test('a dry run says what would be done, and changes nothing', async (t) => {
  const { calls, has, install, uninstall } = await startHost(t);
  const lines = await install(['--dry-run']);
  t.true(lines.includes('would be done: write /etc/systemd/system/gantry.service'));
  t.true(lines.includes('would be done: groupadd --system gantry'));
  t.deepEqual(calls, []);
  t.false(has(service));
  await install();
  const before = calls.length;
  t.true((await uninstall(['--dry-run'])).includes('would be done: remove /etc/systemd/system/gantry.service'));
  t.is(calls.length, before);
  t.true(has(service));
});

test('a group that was there before stays, and one that someone has joined', async (t) => {
  const { calls, install, root, text, uninstall } = await startHost(t);
  await install(['--group', 'docker', '--no-start']);
  t.regex(await text(socket), /^SocketGroup=docker$/m);
  t.false(calls.some((call) => /^groupadd|start/.test(call)));
  await uninstall();
  t.false(calls.some((call) => call.startsWith('groupdel')));

  await install();
  const groups = await text('etc/group');
  await writeFile(join(root, 'etc/group'), groups.replace(/^(gantry:.*)$/m, '$1grace'));
  await uninstall();
  t.false(calls.some((call) => call.startsWith('groupdel')));
});

test('a configuration that says where the engine listens has no socket of systemd', async (t) => {
  const { has, install, root, text } = await startHost(t);
  const configFile = join(root, 'gantry.json');
  await writeFile(configFile, JSON.stringify({ plugins: { 'engine-api': { hosts: ['tcp://127.0.0.1:2375'] } } }));
  await install([], { configFile });
  t.false(has(socket));
  t.true((await text(service)).includes(`gantryd.js" --config ${configFile}\n`));
  t.notRegex(await text(service), /Requires=|fd:/);
});

test('what someone else has written is neither replaced nor removed', async (t) => {
  const { calls, install, root, text, uninstall } = await startHost(t);
  await mkdir(join(root, 'etc/systemd/system'), { recursive: true });
  await writeFile(join(root, service), '[Service]\n');
  await t.throwsAsync(install(), { message: /^\/etc\/systemd\/system\/gantry.service is there already, and/ });
  await uninstall();
  t.is(await text(service), '[Service]\n');
  t.deepEqual(
    calls.filter((call) => !call.endsWith('daemon-reload')),
    [],
  );
});

test('an installation that fails half way is finished by the next', async (t) => {
  const { calls, failing, install } = await startHost(t);
  failing.add('systemctl daemon-reload');
  await t.throwsAsync(install(), { message: '"systemctl daemon-reload" failed: it said why' });
  failing.clear();
  calls.length = 0;
  await install();
  t.deepEqual(calls.slice(-2), [
    'systemctl enable gantry.socket gantry.service',
    'systemctl start gantry.socket gantry.service',
  ]);
  t.true(calls.includes('systemctl daemon-reload'), 'systemd may not have read the files yet');
});

test('a daemon that was started by hand, a host without systemd and bad arguments are refused', async (t) => {
  const { active, calls, install, root, uninstall } = await startHost(t);
  const running = { isDaemonRunning: true };
  await t.throwsAsync(install([], running), { message: /^a daemon that systemd has not started runs/ });
  await install(['--no-start'], running);
  active.add('gantry.service');
  await t.notThrowsAsync(install([], running));
  const count = calls.length;
  await t.throwsAsync(install(['--group', 'a b']), { message: 'gantryd install: --group "a b" is no name' });
  await t.throwsAsync(install(['--loudly']), { message: /^gantryd install: Unknown option '--loudly'.*; see --help$/ });
  t.regex((await install(['--help'])).join('\n'), /^usage: gantryd install/);
  t.regex((await uninstall(['-h'])).join('\n'), /^usage: gantryd uninstall/);
  await rm(join(root, 'run/systemd'), { recursive: true });
  await t.throwsAsync(install(), { message: /^systemd does not run on this host/ });
  t.is(calls.length, count);
});

test('an ordinary user has a unit of the user’s systemd', async (t) => {
  const { calls, has, install, text, uninstall } = await startHost(t, {
    scope: 'user',
    configDirectory: '/users/ada/config',
  });
  const lines = await install();
  t.deepEqual(calls, [
    'systemctl --user daemon-reload',
    'systemctl --user enable gantry.service',
    'systemctl --user start gantry.service',
  ]);
  t.regex(await text('users/ada/config/systemd/user/gantry.service'), /^WantedBy=default.target$/m);
  t.regex(lines.at(-1) ?? '', /enable-linger/);
  await uninstall();
  t.false(has('users/ada/config/systemd/user/gantry.service'));
  t.is(calls.length, 5);
});
