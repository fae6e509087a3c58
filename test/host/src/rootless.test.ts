import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type DaemonProcess, eventually } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import { pack } from 'tar-stream';
import { OrdinaryUser } from './testing/ordinary-user.js';
import { returnsAsItWas } from './testing/returns-as-it-was.js';
import { runIn, startContainer } from './testing/run-in.js';
import { Terminal } from './testing/terminal.js';

async function startEngine(
  t: ExecutionContext,
  network: 'slirp4netns' | 'pasta' = 'slirp4netns',
): Promise<{ user: OrdinaryUser; engine: DaemonProcess }> {
  const user = await OrdinaryUser.create(t, { uplink: true });
  const engine = await user.engine({ GANTRY_ROOTLESS_NETWORK: network });
  t.teardown(async () => {
    if (!engine.isRunning) await engine.start();
    for (const { Id } of await user.client.listContainers({ all: true })) {
      await user.client.getContainer(Id).remove({ force: true, v: true });
    }
    await engine.end('SIGTERM');
  });
  await engine.start();
  return { user, engine };
}

const httpServer = {
  Cmd: ['sh', '-c', 'mkdir /w; echo hello > /w/index.html; echo began; exec httpd -f -h /w'],
  ExposedPorts: { '80/tcp': {} },
  HostConfig: { PortBindings: { '80/tcp': [{ HostPort: '18080' }] } },
};

test("an ordinary user's containers run as root of a user namespace, with ports, execs, logs and builds", async (t) => {
  const { user } = await startEngine(t);
  const { client } = user;
  const container = await startContainer(client, httpServer);
  const fetch = () => user.output('busybox', 'wget', '-qO-', 'http://127.0.0.1:18080/').catch(() => undefined);
  t.is(await eventually('the server in the container answers', fetch), 'hello\n');
  const { output } = await runIn(container, 'id -u; cat /proc/self/uid_map');
  const mapping = output.trim().split(/\s+/).map(Number);
  t.deepEqual(mapping, [0, 0, user.uid, 1, 1, user.firstSubordinate, 65_536]);
  t.regex((await container.logs({ stdout: true, follow: false })).toString(), /began/);
  t.regex(JSON.stringify(await container.top()), /httpd/);

  const archive = pack();
  archive.entry(
    { name: 'Dockerfile' },
    'FROM busybox\nRUN mkdir /d && touch /d/old\nRUN rm -r /d && mkdir /d && chown 33:33 /d && rm /bin/vi\n',
  );
  archive.finalize();
  const building = await client.buildImage(archive as never, { t: 'built' });
  t.regex(await text(building), /Successfully built/);
  const built = await startContainer(client, { Image: 'built' });
  t.is(
    (await runIn(built, 'ls /d; stat -c %u /d; ls /bin/vi 2>&1')).output,
    '33\nls: /bin/vi: No such file or directory\n',
  );

  const info = await client.info();
  t.true((info.SecurityOptions as string[]).includes('rootless'));
  t.like(info, { CgroupDriver: 'none', MemoryLimit: false, Driver: 'overlayfs' });
});

test("an ordinary user's ports answer with pasta, which ends with the engine", async (t) => {
  const { user, engine } = await startEngine(t, 'pasta');
  const container = await startContainer(user.client, httpServer);
  const fetch = () => user.output('busybox', 'wget', '-qO-', 'http://127.0.0.1:18080/').catch(() => undefined);
  t.is(await eventually('the server in the container answers', fetch), 'hello\n');
  t.true([...(await user.processes()).values()].some((command) => command.startsWith('pasta')));
  await container.remove({ force: true });
  await engine.end('SIGTERM');
  await eventually('no process is left', async () => (await user.processes()).size === 0);
});

test("an ordinary user's containers survive kill -9 of the daemon, and all of the engine ends after them", async (t) => {
  const { user, engine } = await startEngine(t);
  const container = await startContainer(user.client, httpServer);
  process.kill(await user.daemonPid(), 'SIGKILL');
  await engine.ended();
  t.true([...(await user.processes()).values()].some((command) => command.startsWith('httpd')));
  await engine.start();
  t.true((await container.inspect()).State.Running);
  t.is((await runIn(container, 'echo again')).output, 'again\n');
  t.is(await user.output('busybox', 'wget', '-qO-', 'http://127.0.0.1:18080/'), 'hello\n');
  await container.remove({ force: true });
  await engine.end('SIGTERM');
  await eventually('no process is left', async () => (await user.processes()).size === 0);
  await t.throwsAsync(access(path.join(user.directory, 'run/gantry.rootless')), { code: 'ENOENT' } as never);
  await engine.start();
});

const gantry = fileURLToPath(new URL('../../../gantry/bin/gantry.js', import.meta.url));

test('an ordinary user runs one command with gantry run, and no process is left', async (t) => {
  const user = await OrdinaryUser.create(t, { uplink: true });
  const [file = '', ...words] = [...user.asUser, process.execPath, gantry, 'run'];
  const env = { ...process.env, ...user.environment };
  const script = 'cat; id -u; head -1 /proc/self/uid_map; exit 5';
  const args = [...words, '-i', '-e', 'WORD=given', 'busybox', 'sh', '-c', script];
  const child = spawn(file, args, { env, stdio: 'pipe' });
  child.stdin.end('typed\n');
  const [said, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  t.regex(said, new RegExp(`^typed\\n0\\n +0 +${user.uid} +1\\n$`), errors);
  t.is(code, 5, errors);
  await eventually('no process is left', async () => (await user.processes()).size === 0);

  const shell = [process.execPath, gantry, 'run', '-it', 'busybox', 'sh'];
  const { asUser: within, environment } = user;
  const terminal = Terminal.open(t, shell, { rows: 33, columns: 99 }, { within, environment });
  await terminal.shows(/# /);
  terminal.type('until [ "$(stty size)" = "33 99" ]; do :; done; echo as "large"\n');
  await terminal.shows(/^as large$/m);
  await terminal.resize({ rows: 44, columns: 111 });
  terminal.type('until [ "$(stty size)" = "44 111" ]; do :; done; echo resized "now"\n');
  await terminal.shows(/^resized now$/m);
  terminal.type('trap "exit 6" USR1; sleep 600 & echo waits "now"; wait\n');
  await terminal.shows(/^waits now$/m);
  const launcher = [...(await user.processes())].find(([, line]) => line.includes('gantry.js run'));
  process.kill(launcher?.[0] ?? 0, 'SIGUSR1');
  t.is(await terminal.ended(), 6);
  await eventually('no process is left', async () => (await user.processes()).size === 0);
});

test('what an ordinary user cannot have is refused by its name', async (t) => {
  const { user } = await startEngine(t);
  const { client } = user;
  const create = (HostConfig: object) => client.createContainer({ Image: 'busybox', Cmd: ['sleep', '9'], HostConfig });
  await t.throwsAsync(create({ PidMode: 'host' }), { message: /PidMode: "host" cannot be used/ });
  await t.throwsAsync(create({ CgroupParent: '/x' }), { message: /CgroupParent: "\/x" cannot be used/ });
  await t.throwsAsync(create({ SecurityOpt: ['apparmor=x'] }), { message: /AppArmor is not enabled/ });
  await t.throwsAsync(create({ StorageOpt: { size: '8m' } }), { message: /only root of the host can limit/ });
  await t.throwsAsync(client.createNetwork({ Name: 'm', Driver: 'macvlan' }), { message: /macvlan/ });
  const ExposedPorts = { '80/tcp': {} };
  const privileged = {
    Image: 'busybox',
    ExposedPorts,
    HostConfig: { PortBindings: { '80/tcp': [{ HostPort: '80' }] } },
  };
  await t.throwsAsync(startContainer(client, privileged), { message: /cannot expose privileged port 80/ });
  const running = await startContainer(client, { HostConfig: { Memory: 64 * 2 ** 20 } });
  t.is((await running.inspect()).HostConfig.Memory, 0);
  await t.throwsAsync(running.pause(), { message: /cannot pause container .* no cgroups/ });
});

test('an ordinary user backs up an engine, and restores it after a reboot', async (t) => {
  const { engine, user } = await startEngine(t);
  const { client, directory } = user;
  await returnsAsItWas(t, {
    client,
    storage: 'overlayfs',
    dataRoot: path.join(directory, 'home/data/gantry'),
    rootId: user.uid,
    userId: user.firstSubordinate + 6,
    file: path.join(directory, 'home/backup'),
    command: (command = '', ...args) => engine.command(command, args),
    lose: async () => {
      await user.kill();
      await engine.ended();
      await rm(path.join(directory, 'run'), { recursive: true });
      await mkdir(path.join(directory, 'run'), { mode: 0o700 });
      await chown(path.join(directory, 'run'), user.uid, user.uid);
    },
    start: () => engine.start(),
  });
});

const program = fileURLToPath(new URL('../../../gantry/bin/gantryd.js', import.meta.url));

/** Runs the daemon's program, which cannot start, to its end. */
async function failedStart(user: OrdinaryUser, environment: NodeJS.ProcessEnv = {}) {
  const [file = '', ...args] = [...user.asUser, process.execPath, program];
  const env = { ...process.env, ...user.environment, ...environment };
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { said, code };
}

for (const [lack, wishes, environment, message] of [
  ['/dev/net/tun', { tunMode: '600' }, {}, /^gantryd: .*modprobe tun"$/m],
  [
    'subordinate ids',
    { subordinateIds: 10 },
    {},
    /^gantryd: .*\/etc\/subuid has fewer than 65536 ids for tester; .*$/m,
  ],
  ['a runtime directory', {}, { XDG_RUNTIME_DIR: '' }, /^gantryd: .*XDG_RUNTIME_DIR is not set.*$/m],
] as const) {
  test(`an ordinary user without ${lack} gets one line that says so, and nothing is left`, async (t) => {
    const user = await OrdinaryUser.create(t, wishes);
    const { said, code } = await failedStart(user, environment);
    t.is(code, 1);
    t.regex(said, message);
    await eventually('no process is left', async () => (await user.processes()).size === 0);
  });
}
