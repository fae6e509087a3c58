import { rejects, until } from '../expectations.js';
import { sh, watchOutput } from './bench.js';
import { check, type RuntimeSuite, withCapability } from './define.js';

const SIGKILL = 9;

/** What outlives the daemon. */
export function daemonChecks(suite: RuntimeSuite): void {
  withCapability(suite, 'survivesDaemon', (suite) => {
    for (const crash of [true, false]) {
      const how = crash ? 'the death of the daemon' : 'a stop and a start';

      check(suite, `a running task survives ${how}, with its output`, async (t, bench) => {
        const id = await bench.run(['cat'], { openStdin: true });
        const before = await bench.driver.status(id);
        const first = await bench.driver.attach(id);
        watchOutput(first.output);
        await first.writeStdin(Buffer.from('before\n'));
        await until('the line is spooled', async () => (await bench.spooled(id)) === 'before\n');
        await bench.reopen({ crash });
        t.deepEqual(await bench.driver.status(id), before);
        const second = await bench.driver.attach(id);
        const seen = watchOutput(second.output);
        await second.writeStdin(Buffer.from('after\n'));
        await until('the next line comes back', () => seen.text === 'after\n');
        t.is(await bench.spooled(id), 'before\nafter\n');
        await bench.driver.kill(id, SIGKILL);
        t.is((await bench.ended(id)).exitCode, 137);
      });

      check(suite, `an exit is kept over ${how}, and not told again`, async (t, bench) => {
        const exit = await bench.complete('exit 6');
        await bench.reopen({ crash });
        t.deepEqual(await bench.driver.tasks(), [{ ...exit, status: 'exited' }]);
        t.is(bench.exits.length, 1);
        await bench.driver.delete('task');
        t.deepEqual(await bench.driver.tasks(), []);
      });

      check(suite, `a created task can be started after ${how}`, async (t, bench) => {
        const id = await bench.create(sh('echo ran; exit 6'));
        await bench.reopen({ crash });
        t.is(await bench.status(id), 'created');
        await bench.driver.startTask(id);
        t.is((await bench.ended(id)).exitCode, 6);
        t.is(await bench.spooled(id), 'ran\n');
      });

      check(suite, `a deleted task stays away after ${how}`, async (t, bench) => {
        await bench.complete('true');
        await bench.driver.delete('task');
        await bench.reopen({ crash });
        t.deepEqual(await bench.driver.tasks(), []);
        await bench.complete('true');
      });

      check(suite, `an exit during ${how} is told or listed with its code`, async (t, bench) => {
        const id = await bench.run(sh('sleep 0.05; exit 9'));
        await bench.reopen({ crash });
        await until('the exit is known', async () => (await bench.status(id)) === 'exited');
        const status = await bench.driver.status(id);
        t.is(status.status === 'exited' ? status.exitCode : undefined, 9);
      });
    }

    check(suite, 'a paused task is still paused for the next daemon', async (t, bench) => {
      if (!bench.driver.capabilities.pause) {
        t.pass('it cannot pause');
        return;
      }
      const id = await bench.run(['sleep', '100']);
      await bench.driver.pause(id);
      await bench.reopen({ crash: true });
      t.is(await bench.status(id), 'paused');
      await bench.driver.resume(id);
      t.is(await bench.status(id), 'running');
    });

    check(suite, 'the id of a task of an earlier daemon is taken', async (t, bench) => {
      await bench.run(['sleep', '100']);
      await bench.reopen({ crash: true });
      await rejects(t, bench.driver.create(bench.request(['true'])), 'conflict');
    });

    check(suite, 'after a reboot there are no tasks, and their ids are free', async (t, bench) => {
      await bench.run(['sleep', '100']);
      await bench.reopen({ reboot: true });
      t.deepEqual(await bench.driver.tasks(), []);
      await bench.complete('true');
    });
  });
}
