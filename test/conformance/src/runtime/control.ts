import { rejects, until } from '../expectations.js';
import { watchOutput } from './bench.js';
import { check, type RuntimeSuite, withCapability } from './define.js';

const SIGKILL = 9;

/** Changes to running tasks, and looks at them. */
export function controlChecks(suite: RuntimeSuite): void {
  withCapability(suite, 'pause', (suite) => {
    check(suite, 'a paused task does nothing until it is resumed', async (t, bench) => {
      const id = await bench.run(['cat'], { openStdin: true });
      const streams = await bench.driver.attach(id);
      const seen = watchOutput(streams.output);
      await bench.driver.pause(id);
      t.is(await bench.status(id), 'paused');
      await streams.writeStdin(Buffer.from('hello\n'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      t.is(seen.text, '');
      await bench.driver.resume(id);
      t.is(await bench.status(id), 'running');
      await until('it goes on', () => seen.text === 'hello\n');
    });

    check(suite, 'only what runs is paused, and only what is paused is resumed', async (t, bench) => {
      const id = await bench.create(['sleep', '100']);
      await rejects(t, bench.driver.pause(id), 'conflict');
      await bench.driver.startTask(id);
      await rejects(t, bench.driver.resume(id), 'conflict', /not paused/);
      await bench.driver.pause(id);
      await rejects(t, bench.driver.pause(id), 'conflict', /already paused/);
      await bench.driver.resume(id);
      await bench.driver.kill(id, SIGKILL);
      await bench.ended(id);
      await rejects(t, bench.driver.pause(id), 'not-found', /not running/);
      await rejects(t, bench.driver.resume(id), 'not-found', /not running/);
    });

    for (const all of [false, true]) {
      check(suite, `a paused task is killed${all ? ' with all it has' : ''}`, async (t, bench) => {
        const id = await bench.run(['sleep', '100']);
        await bench.driver.pause(id);
        await bench.driver.kill(id, SIGKILL, { all });
        t.is((await bench.ended(id)).exitCode, 137);
      });
    }

    check(suite, 'a paused task is deleted by force', async (t, bench) => {
      const id = await bench.run(['sleep', '100']);
      await bench.driver.pause(id);
      await rejects(t, bench.driver.delete(id), 'conflict');
      await bench.driver.delete(id, { force: true });
      t.deepEqual(await bench.driver.tasks(), []);
    });
  });

  withCapability(suite, 'update', (suite) => {
    check(suite, 'limits of a running task can be changed', async (t, bench) => {
      const id = await bench.run(['sleep', '100']);
      await bench.driver.update(id, { memory: { limit: 48 * 2 ** 20 }, cpu: { shares: 512 } });
      t.is(await bench.status(id), 'running');
    });

    check(suite, 'a limit the kernel cannot keep is refused with its reason', async (t, bench) => {
      const id = await bench.run(['sleep', '100']);
      await rejects(t, bench.driver.update(id, { memory: { limit: 1 } }), 'invalid-argument', /memory/);
      t.is(await bench.status(id), 'running');
    });
  });

  withCapability(suite, 'processTable', (suite) => {
    check(suite, 'its processes are listed as ps lists them', async (t, bench) => {
      const id = await bench.run(['sleep', '100']);
      const [pid] = await bench.driver.processes(id);
      const table = () => bench.driver.processTable?.(id, ['-ef']);
      // It was let go, and may not have become the program yet.
      await until('it is the program', async () => /sleep 100$/.test((await table())?.processes[0]?.[7] ?? ''));
      const full = await table();
      t.deepEqual(full?.titles, ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD']);
      t.is(full?.processes.length, 1);
      t.is(full?.processes[0]?.[1], String(pid));
      t.regex(full?.processes[0]?.[7] ?? '', /sleep 100$/);
      const chosen = await bench.driver.processTable?.(id, ['-o', 'pid,args']);
      t.deepEqual(chosen?.titles, ['PID', 'COMMAND']);
      t.deepEqual(chosen?.processes, [[String(pid), 'sleep 100']]);
    });

    check(
      suite,
      'arguments that ps does not know are refused, and so are those without process ids',
      async (t, bench) => {
        const id = await bench.run(['sleep', '100']);
        const table = async (...args: string[]) => bench.driver.processTable?.(id, args);
        await rejects(t, table('--nosuchoption'), 'invalid-argument');
        await rejects(t, table('-o', 'args'), 'invalid-argument', /PID/);
        await bench.driver.kill(id, SIGKILL);
        await bench.ended(id);
        await rejects(t, table('-ef'), 'not-found', /not running/);
      },
    );
  });

  withCapability(suite, 'stats', (suite) => {
    check(suite, 'a running task has counters, an exited one none', async (t, bench) => {
      const id = await bench.run(['sleep', '100']);
      const stats = await bench.driver.stats(id);
      t.true(Math.abs(stats.readAt.getTime() - Date.now()) < 10_000);
      t.true((stats.memory?.limit ?? 1) > 0);
      t.true((stats.pids?.current ?? 1) >= 1);
      await bench.driver.kill(id, SIGKILL);
      await bench.ended(id);
      await rejects(t, bench.driver.stats(id), 'not-found', /not running/);
      await rejects(t, bench.driver.processes(id), 'not-found', /not running/);
    });
  });
}
