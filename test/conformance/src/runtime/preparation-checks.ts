import { rejects } from '../expectations.js';
import { check, type RuntimeSuite } from './define.js';
import { exitCodeOf, type Fixture, sh } from './fixture.js';

interface Preparation {
  readonly id?: string;
  readonly terminal?: boolean;
}

/** Tasks that are announced before they are created. */
export function preparationChecks(suite: RuntimeSuite): void {
  const has = {
    capability: 'prepareTask',
    when: ({ prepareTask }: { prepareTask?: unknown }) => prepareTask !== undefined,
  };
  suite.group(has, (suite) => {
    check(suite, 'a prepared task is not listed, and runs like any other once it is created', async (t, fixture) => {
      const { driver } = fixture;
      await prepare(fixture);
      t.deepEqual(await driver.tasks(), []);
      await rejects(t, driver.status('task'), 'not-found');
      await rejects(t, driver.startTask('task'), 'not-found');
      t.is((await fixture.complete('echo ran; exit 3')).exitCode, 3);
      t.is(await fixture.spooled('task'), 'ran\n');
    });

    check(suite, 'a task may be created otherwise than it was prepared', async (t, fixture) => {
      await prepare(fixture, { terminal: true });
      t.is((await fixture.complete('test -t 1')).exitCode, 1);
      await prepare(fixture, { id: 'other' });
      t.is((await fixture.complete('test -t 1', { id: 'other', terminal: true })).exitCode, 0);
    });

    check(suite, 'a prepared task can be deleted, and its id is free then', async (t, fixture) => {
      await prepare(fixture);
      await fixture.driver.delete('task');
      await rejects(t, fixture.driver.status('task'), 'not-found');
      t.is((await fixture.complete('exit 4')).exitCode, 4);
    });

    check(
      suite,
      'a prepared task whose program is missing is refused, and needs no more than its deletion',
      async (t, fixture) => {
        await prepare(fixture);
        const error = await rejects(t, fixture.create(['/no/such/program']), 'invalid-argument');
        t.is(exitCodeOf(error), 127);
        await fixture.driver.delete('task');
        t.deepEqual(await fixture.driver.tasks(), []);
      },
    );

    check(suite, 'what exists cannot be prepared, and stays as it is', async (t, fixture) => {
      await fixture.run(['sleep', '100']);
      await prepare(fixture);
      t.is(await fixture.status('task'), 'running');
    });

    check(suite, 'an invalid id cannot be prepared', async (t, fixture) => {
      await rejects(t, prepare(fixture, { id: '../up' }), 'invalid-argument');
    });

    check(
      suite,
      'a task whose driver is closed before it is created is broken for the next one',
      async (t, fixture) => {
        await prepare(fixture);
        await fixture.reopen({});
        const found = await fixture.driver.tasks();
        t.true(found.every(({ status }) => status === 'broken'));
        await fixture.driver.delete('task');
        t.is((await fixture.complete('exit 5')).exitCode, 5);
      },
    );
  });
}

async function prepare(fixture: Fixture, { id = 'task', terminal = false }: Preparation = {}): Promise<void> {
  // Drivers may begin only once they know what runs tasks.
  await fixture.driver.describe();
  await fixture.driver.prepareTask?.({ ...fixture.request(sh('exit 0'), { id }), terminal });
}
