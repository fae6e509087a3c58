import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type OrdinaryUser, startContainer } from '@gantry/host';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const unit = 'gantry.service';

/** A program of the user's, as the user runs it. */
const asUser = (user: OrdinaryUser, ...command: readonly string[]): readonly string[] => [
  ...user.asUser,
  // Entering a namespace of mounts leads to its root.
  ...['env', `--chdir=${root}`],
  ...Object.entries(user.environment).map(([name, value]) => `${name}=${value}`),
  ...command,
];

/** Resolves when the engine answers, which takes minutes in emulation; rejects when it has ended. */
async function untilAnswering(user: OrdinaryUser, checkRunning: () => void): Promise<void> {
  while ((await user.client.ping().catch(() => undefined)) === undefined) {
    checkRunning();
    await delay(500);
  }
}

/** What the systemd of the user answers. Throws when it fails. */
function userctl(user: OrdinaryUser, ...args: readonly string[]): string {
  const [file = '', ...rest] = asUser(user, 'systemctl', '--user', ...args);
  return run(file, ...rest);
}

/** Installs this checkout as the user. The systemd of the user runs it outside of the test's namespaces. */
function install(user: OrdinaryUser): void {
  for (const name of ['subuid', 'subgid']) appendFileSync(`/etc/${name}`, `tester:${user.firstSubordinate}:65536\n`);
  chmodSync('/dev/net/tun', 0o666);
  const dropIn = join(user.environment.HOME ?? '', `.config/systemd/user/${unit}.d/slow.conf`);
  const lines = ['[Service]', `Environment=XDG_DATA_HOME=${user.environment.XDG_DATA_HOME}`, 'TimeoutStopSec=10min'];
  mkdirSync(dirname(dropIn), { recursive: true });
  writeFileSync(dropIn, `${lines.join('\n')}\n`);
  run('chown', '-R', `${user.uid}:${user.uid}`, join(user.environment.HOME ?? '', '.config'));
  gantryd(user, 'install', '--no-start');
}

function gantryd(user: OrdinaryUser, ...args: readonly string[]): string {
  const program = join(root, 'gantry/bin/gantryd.js');
  const [file = '', ...rest] = asUser(
    user,
    process.execPath,
    program,
    ...args,
    '--config',
    `${user.directory}/config.json`,
  );
  return run(file, ...rest);
}

/** How an ordinary user starts the engine. */
export function userTests({ withoutEngine }: DaemonUnderTest): void {
  test('npm start by an ordinary user', needs.ordinaryUser, () =>
    withoutEngine(async (user) => {
      const [file = '', ...args] = asUser(user, 'npm', 'start', '--', '--config', `${user.directory}/config.json`);
      const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      const exited = once(child, 'exit');
      let complaints = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaints += text;
      });
      try {
        await untilAnswering(user, () => assert.equal(child.exitCode, null, complaints));
        const options = { HostConfig: { NetworkMode: 'bridge' } };
        assert.equal(await outputOf(user.client, 'id -u', options), '0');
      } finally {
        // npm passes it on.
        child.kill('SIGTERM');
        await exited;
      }
      assert.equal(child.exitCode, 0, complaints);
    }),
  );

  test("the service of a user's systemd is restarted with its containers", needs.userManager, () =>
    withoutEngine(async (user) => {
      install(user);
      const checkActive = () => assert.equal(userctl(user, 'is-active', unit), 'active');
      userctl(user, 'start', unit);
      try {
        await untilAnswering(user, checkActive);
        const { client } = user;
        const container = await startContainer(client, { HostConfig: { NetworkMode: 'none' } });
        const { Pid } = (await container.inspect()).State;
        const property = (name: string) => userctl(user, 'show', unit, '-p', name, '--value');
        const before = property('MainPID');
        userctl(user, 'restart', unit);
        assert.notEqual(property('MainPID'), before);
        await untilAnswering(user, checkActive);
        const { State } = await container.inspect();
        assert.deepEqual([State.Running, State.Pid], [true, Pid]);
        await container.remove({ force: true });
        userctl(user, 'stop', unit);
        assert.equal(property('Result'), 'success');
      } finally {
        gantryd(user, 'uninstall');
      }
      assert.equal(userctl(user, 'show', unit, '-p', 'LoadState', '--value'), 'not-found');
    }),
  );
}
