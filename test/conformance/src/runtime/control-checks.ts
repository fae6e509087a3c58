import { rejects, until } from '../expectations.js';
import { check, type RuntimeSuite, withCapability } from './define.js';
import { watchOutput } from './fixture.js';

const SIGKILL = 9;

/** Changes to running tasks, and looks at them. */
export function controlChecks(suite: RuntimeSuite): void {
  withCapability(suite, 'pause', (suite) => {
    check(suite, 'a paused task does nothing until it is resumed', async (t, fixture) => {
      const id = await fixture.run(['cat'], { openStdin: true });
      const streams = await fixture.driver.io.attach(id);
      const seen = watchOutput(streams.output);
      await fixture.driver.pause(id);
      t.is(await fixture.status(id), 'paused');
      await streams.writeStdin(Buffer.from('hello\n'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      t.is(seen.text, '');
      await fixture.driver.resume(id);
      t.is(await fixture.status(id), 'running');
      await until('it goes on', () => seen.text === 'hello\n');
    });

    check(suite, 'only what runs is paused, and only what is paused is resumed', async (t, fixture) => {
      const id = await fixture.create(['sleep', '100']);
      await rejects(t, fixture.driver.pause(id), 'conflict');
      await fixture.driver.startTask(id);
      await rejects(t, fixture.driver.resume(id), 'conflict', /not paused/);
      await fixture.driver.pause(id);
      await rejects(t, fixture.driver.pause(id), 'conflict', /already paused/);
      await fixture.driver.resume(id);
      await fixture.driver.kill(id, SIGKILL);
      await fixture.ended(id);
      await rejects(t, fixture.driver.pause(id), 'not-found', /not running/);
      await rejects(t, fixture.driver.resume(id), 'not-found', /not running/);
    });

    for (const all of [false, true]) {
      check(suite, `a paused task is killed${all ? ' with all it has' : ''}`, async (t, fixture) => {
        const id = await fixture.run(['sleep', '100']);
        await fixture.driver.pause(id);
        await fixture.driver.kill(id, SIGKILL, { all });
        t.is((await fixture.ended(id)).exitCode, 137);
      });
    }

    check(suite, 'a paused task is deleted by force', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      await fixture.driver.pause(id);
      await rejects(t, fixture.driver.delete(id), 'conflict');
      await fixture.driver.delete(id, { force: true });
      t.deepEqual(await fixture.driver.tasks(), []);
    });
  });

  withCapability(suite, 'update', (suite) => {
    check(suite, 'limits of a running task can be changed', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      await fixture.driver.update(id, { memory: { limit: 48 * 2 ** 20 }, cpu: { shares: 512 } });
      t.is(await fixture.status(id), 'running');
    });

    check(suite, 'a limit the kernel cannot keep is refused with its reason', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      await rejects(t, fixture.driver.update(id, { memory: { limit: 1 } }), 'invalid-argument', /memory/);
      t.is(await fixture.status(id), 'running');
    });
  });

  withCapability(suite, 'processTable', (suite) => {
    check(suite, 'its processes are listed as ps lists them', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const [pid] = await fixture.driver.processes.list(id);
      const table = () => fixture.driver.processes.table?.(id, ['-ef']);
      // It was resumed, and may not have executed the program yet.
      await until('it is the program', async () => /sleep 100$/.test((await table())?.processes[0]?.[7] ?? ''));
      const full = await table();
      t.deepEqual(full?.titles, ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD']);
      t.is(full?.processes.length, 1);
      t.is(full?.processes[0]?.[1], String(pid));
      t.regex(full?.processes[0]?.[7] ?? '', /sleep 100$/);
      const chosen = await fixture.driver.processes.table?.(id, ['-o', 'pid,args']);
      t.deepEqual(chosen?.titles, ['PID', 'COMMAND']);
      t.deepEqual(chosen?.processes, [[String(pid), 'sleep 100']]);
    });

    check(
      suite,
      'arguments that ps does not know are refused, and so are those without process ids',
      async (t, fixture) => {
        const id = await fixture.run(['sleep', '100']);
        const table = async (...args: string[]) => fixture.driver.processes.table?.(id, args);
        await rejects(t, table('--nosuchoption'), 'invalid-argument');
        await rejects(t, table('-o', 'args'), 'invalid-argument', /PID/);
        await fixture.driver.kill(id, SIGKILL);
        await fixture.ended(id);
        await rejects(t, table('-ef'), 'not-found', /not running/);
      },
    );
  });

  withCapability(suite, 'stats', (suite) => {
    check(suite, 'a running task has counters, an exited one none', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const stats = await fixture.driver.stats(id);
      t.true(Math.abs(stats.readAt.getTime() - Date.now()) < 10_000);
      t.true((stats.memory?.limit ?? 1) > 0);
      t.true((stats.pids?.current ?? 1) >= 1);
      await fixture.driver.kill(id, SIGKILL);
      await fixture.ended(id);
      await rejects(t, fixture.driver.stats(id), 'not-found', /not running/);
      await rejects(t, fixture.driver.processes.list(id), 'not-found', /not running/);
    });
  });
}
