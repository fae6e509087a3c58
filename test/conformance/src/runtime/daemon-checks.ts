import { rejects, until } from '../expectations.js';
import { check, type RuntimeSuite, withCapability } from './define.js';
import { sh, watchOutput } from './fixture.js';

const SIGKILL = 9;

/** What outlives the daemon. */
export function daemonChecks(suite: RuntimeSuite): void {
  withCapability(suite, 'survivesDaemon', (suite) => {
    for (const crash of [true, false]) {
      const how = crash ? 'the death of the daemon' : 'a stop and a start';

      check(suite, `a running task survives ${how}, with its output`, async (t, fixture) => {
        const id = await fixture.run(['cat'], { openStdin: true });
        const before = await fixture.driver.status(id);
        const first = await fixture.driver.io.attach(id);
        watchOutput(first.output);
        await first.writeStdin(Buffer.from('before\n'));
        await until('the line is spooled', async () => (await fixture.spooled(id)) === 'before\n');
        await fixture.reopen({ crash });
        t.deepEqual(await fixture.driver.status(id), before);
        const second = await fixture.driver.io.attach(id);
        const seen = watchOutput(second.output);
        await second.writeStdin(Buffer.from('after\n'));
        await until('the next line comes back', () => seen.text === 'after\n');
        t.is(await fixture.spooled(id), 'before\nafter\n');
        await fixture.driver.kill(id, SIGKILL);
        t.is((await fixture.ended(id)).exitCode, 137);
      });

      check(suite, `an exit is kept over ${how}, and not published again`, async (t, fixture) => {
        const exit = await fixture.complete('exit 6');
        await fixture.reopen({ crash });
        t.deepEqual(await fixture.driver.tasks(), [{ ...exit, status: 'exited' }]);
        t.is(fixture.exits.length, 1);
        await fixture.driver.delete('task');
        t.deepEqual(await fixture.driver.tasks(), []);
      });

      check(suite, `a created task can be started after ${how}`, async (t, fixture) => {
        const id = await fixture.create(sh('echo ran; exit 6'));
        await fixture.reopen({ crash });
        t.is(await fixture.status(id), 'created');
        await fixture.driver.startTask(id);
        t.is((await fixture.ended(id)).exitCode, 6);
        t.is(await fixture.spooled(id), 'ran\n');
      });

      check(suite, `a deleted task stays away after ${how}`, async (t, fixture) => {
        await fixture.complete('true');
        await fixture.driver.delete('task');
        await fixture.reopen({ crash });
        t.deepEqual(await fixture.driver.tasks(), []);
        await fixture.complete('true');
      });

      check(suite, `an exit during ${how} is published or listed with its code`, async (t, fixture) => {
        const id = await fixture.run(sh('sleep 0.05; exit 9'));
        await fixture.reopen({ crash });
        await until('the exit is known', async () => (await fixture.status(id)) === 'exited');
        const status = await fixture.driver.status(id);
        t.is(status.status === 'exited' ? status.exitCode : undefined, 9);
      });
    }

    check(suite, 'a paused task is still paused for the next daemon', async (t, fixture) => {
      if (!fixture.driver.capabilities.pause) {
        t.pass('it cannot pause');
        return;
      }
      const id = await fixture.run(['sleep', '100']);
      await fixture.driver.pause(id);
      await fixture.reopen({ crash: true });
      t.is(await fixture.status(id), 'paused');
      await fixture.driver.resume(id);
      t.is(await fixture.status(id), 'running');
    });

    check(suite, 'the id of a task of an earlier daemon is taken', async (t, fixture) => {
      await fixture.run(['sleep', '100']);
      await fixture.reopen({ crash: true });
      await rejects(t, fixture.driver.create(fixture.request(['true'])), 'conflict');
    });

    check(suite, 'after a reboot there are no tasks, and their ids are free', async (t, fixture) => {
      await fixture.run(['sleep', '100']);
      await fixture.reopen({ reboot: true });
      t.deepEqual(await fixture.driver.tasks(), []);
      await fixture.complete('true');
    });
  });
}
