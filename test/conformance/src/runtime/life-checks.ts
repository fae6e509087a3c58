import { type RuntimeDriver, TaskStartError } from '@gantry/core/contracts';
import { aborts, atOnce, rejects } from '../expectations.js';
import { check, type RuntimeSuite } from './define.js';
import { exitCodeOf, sh } from './fixture.js';

const SIGKILL = 9;

/** From create to delete. */
export function lifeChecks(suite: RuntimeSuite): void {
  check(suite, 'two openings are independent', async (t, fixture, open) => {
    const { driver: other } = await open();
    await fixture.create(['sleep', '100']);
    t.deepEqual(await other.tasks(), []);
    await other.delete('task', { force: true });
    t.is(await fixture.status('task'), 'created');
  });

  check(suite, 'the driver says what it runs', async (t, { driver }) => {
    const { name, version, runtimes } = await driver.describe();
    t.true(runtimes.includes(name));
    t.regex(version, /\d/);
  });

  check(suite, 'a created task has a first process and has run nothing', async (t, fixture) => {
    const status = await fixture.driver.create(fixture.request(sh('echo ran')));
    t.is(status.status, 'created');
    t.true('pid' in status && status.pid > 1);
    t.deepEqual(await fixture.driver.status('task'), status);
    t.deepEqual(await fixture.driver.tasks(), [status]);
    t.is(await fixture.spooled('task'), '');
  });

  check(suite, 'a task runs once it is started, and its exit is published once and kept', async (t, fixture) => {
    const before = Date.now();
    const id = await fixture.create(sh('echo ran; exit 3'));
    await fixture.driver.startTask(id);
    const exit = await fixture.ended(id);
    t.is(exit.exitCode, 3);
    t.false(exit.oomKilled);
    t.true(exit.exitedAt.getTime() >= before - 1000 && exit.exitedAt.getTime() <= Date.now() + 1000);
    t.deepEqual(await fixture.driver.status(id), { ...exit, status: 'exited' });
    t.deepEqual(await fixture.driver.tasks(), [{ ...exit, status: 'exited' }]);
    t.is(await fixture.spooled(id), 'ran\n');
    await fixture.driver.delete(id);
    t.deepEqual(await fixture.driver.tasks(), []);
    t.deepEqual(fixture.exits, [exit]);
  });

  check(suite, 'a running task has the pid it was created with', async (t, fixture) => {
    const created = await fixture.driver.create(fixture.request(['sleep', '100']));
    await fixture.driver.startTask('task');
    t.deepEqual(await fixture.driver.status('task'), { ...created, status: 'running' });
    const [first] = await fixture.driver.processes.list('task');
    t.is(first, 'pid' in created ? created.pid : undefined);
  });

  for (const code of [0, 1, 127, 255]) {
    check(suite, `exit code ${code} is reported as ${code}`, async (t, fixture) => {
      t.is((await fixture.complete(`exit ${code}`)).exitCode, code);
    });
  }

  check(suite, 'a killed task exits with 137', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    await fixture.driver.kill(id, SIGKILL);
    t.is((await fixture.ended(id)).exitCode, 137);
    await rejects(t, fixture.driver.kill(id, SIGKILL), 'not-found', /not running/);
  });

  check(suite, 'a signal to all reaches the first process', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    await fixture.driver.kill(id, SIGKILL, { all: true });
    t.is((await fixture.ended(id)).exitCode, 137);
  });

  check(suite, 'a signal that the first process does not expect leaves it alone', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    await fixture.driver.kill(id, 15);
    await fixture.driver.kill(id, 15, { all: true });
    t.is(await fixture.status(id), 'running');
  });

  check(suite, 'an id can be taken once, until its task is deleted', async (t, fixture) => {
    const id = await fixture.create(['true']);
    await rejects(t, fixture.driver.create(fixture.request(['true'])), 'conflict', /task/);
    t.is(await fixture.status(id), 'created');
    await fixture.driver.delete(id);
    await fixture.create(['true']);
  });

  check(suite, 'of 20 that create the same task at once one succeeds', async (t, fixture) => {
    const made = await atOnce(20, () =>
      fixture.driver.create(fixture.request(['sleep', '100'])).then(
        () => true,
        () => false,
      ),
    );
    t.is(made.filter(Boolean).length, 1);
    await fixture.driver.startTask('task');
    t.is(await fixture.status('task'), 'running');
  });

  check(suite, '20 concurrent tasks each exit with their own code, published once', async (t, fixture) => {
    await atOnce(20, async (index) => {
      const id = `many${index}`;
      const exit = await fixture.complete(`echo ${index}; exit ${index}`, { id });
      t.is(exit.exitCode, index);
      t.is(await fixture.spooled(id), `${index}\n`);
      await fixture.driver.delete(id);
    });
    t.is(fixture.exits.length, 20);
    t.deepEqual(await fixture.driver.tasks(), []);
  });

  for (const bad of ['', '../up', 'a/b', '.', '-x', 'a b']) {
    check(suite, `"${bad}" is not an id`, async (t, fixture) => {
      await rejects(t, fixture.driver.create({ ...fixture.request(['true']), id: bad }), 'invalid-argument');
      t.deepEqual(await fixture.driver.tasks(), []);
    });
  }

  check(suite, 'a runtime that is not there is refused by name', async (t, fixture) => {
    const request = fixture.request(['true'], { runtime: 'no-such-runtime' });
    await rejects(t, fixture.driver.create(request), 'invalid-argument', /no-such-runtime/);
    const { name } = await fixture.driver.describe();
    await fixture.create(['true'], { runtime: name });
  });

  for (const [program, exitCode, words] of [
    ['no-such-program', 127, /^(?=.*no-such-program).*executable file.*not found in \$PATH/],
    ['/no/such/program', 127, /\/no\/such\/program.*(no such file or directory|not found)/i],
    ['/etc', 126, /\/etc.*permission denied/i],
  ] as const) {
    check(suite, `the program ${program} is refused with ${exitCode}, and nothing is left`, async (t, fixture) => {
      const error = await rejects(t, refused(fixture.create([program]), fixture.driver), 'invalid-argument', words);
      t.true(error instanceof TaskStartError);
      t.is(exitCodeOf(error), exitCode);
      t.deepEqual(await fixture.driver.tasks(), []);
      t.deepEqual(fixture.exits, []);
      await fixture.create(['true']);
    });
  }

  check(suite, 'a task starts once', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    await rejects(t, fixture.driver.startTask(id), 'conflict');
    t.is(await fixture.status(id), 'running');
  });

  check(suite, 'a running task is deleted by force alone', async (t, fixture) => {
    const id = await fixture.run(['sleep', '100']);
    await rejects(t, fixture.driver.delete(id), 'conflict', /task/);
    t.is(await fixture.status(id), 'running');
    await atOnce(20, () => fixture.driver.delete(id, { force: true }));
    t.deepEqual(await fixture.driver.tasks(), []);
    t.deepEqual(
      fixture.exits.map(({ exitCode }) => exitCode),
      [137],
    );
  });

  check(suite, 'a task that never ran is deleted without force and without an exit', async (t, fixture) => {
    const id = await fixture.create(['sleep', '100']);
    await fixture.driver.delete(id);
    t.deepEqual(await fixture.driver.tasks(), []);
    t.deepEqual(fixture.exits, []);
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
      () => driver.io.attach('absent'),
      () => driver.processes.exec('absent', exec),
      () => driver.io.resize('absent', { height: 1, width: 1 }),
      () => driver.processes.list('absent'),
      () => driver.stats('absent'),
      () => driver.io.rotateSpool('absent'),
    ]) {
      await rejects(t, call(), 'not-found', /absent/);
    }
    await driver.delete('absent');
    await driver.delete('absent', { force: true });
  });

  check(suite, 'a listener that unsubscribes hears no more', async (t, fixture) => {
    const heard: string[] = [];
    const stop = fixture.driver.onExit(({ id }) => heard.push(id));
    await fixture.complete('true', { id: 'one' });
    stop();
    stop();
    await fixture.complete('true', { id: 'two' });
    t.deepEqual(heard, ['one']);
  });

  check(suite, 'an aborted create leaves nothing', async (t, fixture) => {
    await aborts(t, fixture.driver.create(fixture.request(['sleep', '100']), { signal: AbortSignal.abort() }));
    t.deepEqual(await fixture.driver.tasks(), []);
    const controller = new AbortController();
    const creating = fixture.driver.create(fixture.request(['sleep', '100']), { signal: controller.signal });
    controller.abort();
    const outcome = await creating.then(
      () => 'created',
      (error: Error) => error.name,
    );
    t.true(outcome === 'created' || outcome === 'AbortError', outcome);
    t.is((await fixture.driver.tasks()).length, outcome === 'created' ? 1 : 0);
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
