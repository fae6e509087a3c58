import { OrdinaryUser } from '@gantry/host';
import type { Scope } from '@gantry/test-nodes';
import { type DaemonUnderTest, hasDelegatedCgroup, slowDeadlines } from './daemon-under-test.js';
import { startUserManager } from './start-user-manager.js';
import { systemctl } from './systemctl.js';

/** Starts the engine of an ordinary user, whose ports are in a network namespace of the test. */
export async function startOrdinaryDaemon(scope: Scope): Promise<Omit<DaemonUnderTest, 'end'>> {
  const user = await OrdinaryUser.create(scope, hasDelegatedCgroup ? { logIn: startUserManager } : {});
  if (hasDelegatedCgroup) scope.teardown(() => void systemctl('stop', `user@${user.uid}.service`));
  const engine = await user.engine({}, { drivers: { 'runtime/runc': { deadlines: slowDeadlines } } });
  const { client } = user;
  scope.teardown(async () => {
    if (!engine.isRunning) await engine.start();
    for (const { Id } of await client.listContainers({ all: true })) {
      await client.getContainer(Id).remove({ force: true, v: true });
    }
    await engine.end('SIGTERM');
  });
  await engine.start();
  const daemon = {
    client,
    command: (command: string, ...args: readonly string[]) => engine.command(command, args),
    crash: async () => {
      process.kill(await user.daemonPid(), 'SIGKILL');
      await engine.ended();
    },
    restart: async () => {
      await engine.end('SIGTERM');
      await engine.start();
    },
  };
  return {
    daemon: () => daemon,
    withoutEngine: async (work) => {
      await engine.end('SIGTERM');
      try {
        await work(user);
      } finally {
        await engine.start();
      }
    },
    get: (url) => user.output('busybox', 'wget', '-q', '-O', '-', url).catch(() => undefined),
  };
}
