import { type RuntimeDriver, TaskStartError } from '@gantry/core/contracts';
import { aborts, atOnce, rejects } from '../expectations.js';
import { exitCodeOf, sh } from './bench.js';
import { check, type RuntimeSuite } from './define.js';

const SIGKILL = 9;

/** From create to delete. */
export function lifeChecks(suite: RuntimeSuite): void {
  check(suite, 'two openings are independent', async (t, bench, open) => {
    const { driver: other } = await open();
    await bench.create(['sleep', '100']);
    t.deepEqual(await other.tasks(), []);
    await other.delete('task', { force: true });
    t.is(await bench.status('task'), 'created');
  });

  check(suite, 'the driver says what it runs', async (t, { driver }) => {
    const { name, version, runtimes } = await driver.describe();
    t.true(runtimes.includes(name));
    t.regex(version, /\d/);
  });

  check(suite, 'a created task has a first process and has run nothing', async (t, bench) => {
    const status = await bench.driver.create(bench.request(sh('echo ran')));
    t.is(status.status, 'created');
    t.true('pid' in status && status.pid > 1);
    t.deepEqual(await bench.driver.status('task'), status);
    t.deepEqual(await bench.driver.tasks(), [status]);
    t.is(await bench.spooled('task'), '');
  });

  check(suite, 'a task runs once it is started, and its exit is told once and kept', async (t, bench) => {
    const before = Date.now();
    const id = await bench.create(sh('echo ran; exit 3'));
    await bench.driver.startTask(id);
    const exit = await bench.ended(id);
    t.is(exit.exitCode, 3);
    t.false(exit.oomKilled);
    t.true(exit.exitedAt.getTime() >= before - 1000 && exit.exitedAt.getTime() <= Date.now() + 1000);
    t.deepEqual(await bench.driver.status(id), { ...exit, status: 'exited' });
    t.deepEqual(await bench.driver.tasks(), [{ ...exit, status: 'exited' }]);
    t.is(await bench.spooled(id), 'ran\n');
    await bench.driver.delete(id);
    t.deepEqual(await bench.driver.tasks(), []);
    t.deepEqual(bench.exits, [exit]);
  });

  check(suite, 'a running task has the pid it was created with', async (t, bench) => {
    const created = await bench.driver.create(bench.request(['sleep', '100']));
    await bench.driver.startTask('task');
    t.deepEqual(await bench.driver.status('task'), { ...created, status: 'running' });
    const [first] = await bench.driver.processes('task');
    t.is(first, 'pid' in created ? created.pid : undefined);
  });

  for (const code of [0, 1, 127, 255]) {
    check(suite, `exit code ${code} is told as ${code}`, async (t, bench) => {
      t.is((await bench.complete(`exit ${code}`)).exitCode, code);
    });
  }

  check(suite, 'a killed task exits with 137', async (t, bench) => {
    const id = await bench.run(['sleep', '100']);
    await bench.driver.kill(id, SIGKILL);
    t.is((await bench.ended(id)).exitCode, 137);
    await rejects(t, bench.driver.kill(id, SIGKILL), 'not-found', /not running/);
  });

  check(suite, 'a signal to all reaches the first process', async (t, bench) => {
    const id = await bench.run(['sleep', '100']);
    await bench.driver.kill(id, SIGKILL, { all: true });
    t.is((await bench.ended(id)).exitCode, 137);
  });

  check(suite, 'a signal that the first process does not expect leaves it alone', async (t, bench) => {
    const id = await bench.run(['sleep', '100']);
    await bench.driver.kill(id, 15);
    await bench.driver.kill(id, 15, { all: true });
    t.is(await bench.status(id), 'running');
  });

  check(suite, 'an id can be taken once, until its task is deleted', async (t, bench) => {
    const id = await bench.create(['true']);
    await rejects(t, bench.driver.create(bench.request(['true'])), 'conflict', /task/);
    t.is(await bench.status(id), 'created');
    await bench.driver.delete(id);
    await bench.create(['true']);
  });

  check(suite, 'of 20 that create the same task at once one succeeds', async (t, bench) => {
    const made = await atOnce(20, () =>
      bench.driver.create(bench.request(['sleep', '100'])).then(
        () => true,
        () => false,
      ),
    );
    t.is(made.filter(Boolean).length, 1);
    await bench.driver.startTask('task');
    t.is(await bench.status('task'), 'running');
  });

  check(suite, '20 tasks at once each exit with their own code, told once', async (t, bench) => {
    await atOnce(20, async (index) => {
      const id = `many${index}`;
      const exit = await bench.complete(`echo ${index}; exit ${index}`, { id });
      t.is(exit.exitCode, index);
      t.is(await bench.spooled(id), `${index}\n`);
      await bench.driver.delete(id);
    });
    t.is(bench.exits.length, 20);
    t.deepEqual(await bench.driver.tasks(), []);
  });

  for (const bad of ['', '../up', 'a/b', '.', '-x', 'a b']) {
    check(suite, `"${bad}" is not an id`, async (t, bench) => {
      await rejects(t, bench.driver.create({ ...bench.request(['true']), id: bad }), 'invalid-argument');
      t.deepEqual(await bench.driver.tasks(), []);
    });
  }

  check(suite, 'a runtime that is not there is refused by name', async (t, bench) => {
    const request = bench.request(['true'], { runtime: 'no-such-runtime' });
    await rejects(t, bench.driver.create(request), 'invalid-argument', /no-such-runtime/);
    const { name } = await bench.driver.describe();
    await bench.create(['true'], { runtime: name });
  });

  for (const [program, exitCode, words] of [
    ['no-such-program', 127, /^(?=.*no-such-program).*executable file.*not found in \$PATH/],
    ['/no/such/program', 127, /\/no\/such\/program.*(no such file or directory|not found)/i],
    ['/etc', 126, /\/etc.*permission denied/i],
  ] as const) {
    check(suite, `the program ${program} is refused with ${exitCode}, and nothing is left`, async (t, bench) => {
      const error = await rejects(t, refused(bench.create([program]), bench.driver), 'invalid-argument', words);
      t.true(error instanceof TaskStartError);
      t.is(exitCodeOf(error), exitCode);
      t.deepEqual(await bench.driver.tasks(), []);
      t.deepEqual(bench.exits, []);
      await bench.create(['true']);
    });
  }

  check(suite, 'a task starts once', async (t, bench) => {
    const id = await bench.run(['sleep', '100']);
    await rejects(t, bench.driver.startTask(id), 'conflict');
    t.is(await bench.status(id), 'running');
  });

  check(suite, 'a running task is deleted by force alone', async (t, bench) => {
    const id = await bench.run(['sleep', '100']);
    await rejects(t, bench.driver.delete(id), 'conflict', /task/);
    t.is(await bench.status(id), 'running');
    await atOnce(20, () => bench.driver.delete(id, { force: true }));
    t.deepEqual(await bench.driver.tasks(), []);
    t.deepEqual(
      bench.exits.map(({ exitCode }) => exitCode),
      [137],
    );
  });

  check(suite, 'a task that never ran is deleted without force and without an exit', async (t, bench) => {
    const id = await bench.create(['sleep', '100']);
    await bench.driver.delete(id);
    t.deepEqual(await bench.driver.tasks(), []);
    t.deepEqual(bench.exits, []);
  });

  check(suite, 'what is not there is not found, and deleted all the same', async (t, { driver }) => {
    const process = { user: { uid: 0, gid: 0 }, args: ['true'], cwd: '/' };
    const exec = { execId: 'exec', process, openStdin: false, detached: true };
    for (const call of [
      () => driver.status('absent'),
      () => driver.startTask('absent'),
      () => driver.kill('absent', SIGKILL),
      () => driver.pause('absent'),
      () => driver.resume('absent'),
      () => driver.update('absent', {}),
      () => driver.attach('absent'),
      () => driver.exec('absent', exec),
      () => driver.resize('absent', { height: 1, width: 1 }),
      () => driver.processes('absent'),
      () => driver.stats('absent'),
      () => driver.rotateSpool('absent'),
    ]) {
      await rejects(t, call(), 'not-found', /absent/);
    }
    await driver.delete('absent');
    await driver.delete('absent', { force: true });
  });

  check(suite, 'a listener that unsubscribes hears no more', async (t, bench) => {
    const heard: string[] = [];
    const stop = bench.driver.onExit(({ id }) => heard.push(id));
    await bench.complete('true', { id: 'one' });
    stop();
    stop();
    await bench.complete('true', { id: 'two' });
    t.deepEqual(heard, ['one']);
  });

  check(suite, 'an aborted create leaves nothing', async (t, bench) => {
    await aborts(t, bench.driver.create(bench.request(['sleep', '100']), { signal: AbortSignal.abort() }));
    t.deepEqual(await bench.driver.tasks(), []);
    const controller = new AbortController();
    const creating = bench.driver.create(bench.request(['sleep', '100']), { signal: controller.signal });
    controller.abort();
    const outcome = await creating.then(
      () => 'created',
      (error: Error) => error.name,
    );
    t.true(outcome === 'created' || outcome === 'AbortError', outcome);
    t.is((await bench.driver.tasks()).length, outcome === 'created' ? 1 : 0);
  });
}

/** Some runtimes look at the program only when it is to run. */
async function refused(creating: Promise<string>, driver: RuntimeDriver): Promise<void> {
  const id = await creating;
  try {
    await driver.startTask(id);
  } catch (error) {
    await driver.delete(id);
    throw error;
  }
}
