import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Opened } from '@gantry/conformance';
import { type RuntimeDriver, TaskStartError } from '@gantry/core/contracts';
import anyTest, { type TestFn } from 'ava';
import { processesOfBundle } from './monitor/processes-of-bundle.js';
import { openTestRuntime } from './testing/open-test-runtime.js';
import { requestFor } from './testing/request.js';
import { makeRootfs } from './testing/rootfs.js';

interface Fixture {
  readonly opened: Opened<RuntimeDriver>;
  readonly driver: RuntimeDriver;
}

const test = anyTest as TestFn<Fixture>;
const rootfs = await makeRootfs();
test.after.always('the root file system goes', () => rootfs.remove());

test.beforeEach(async (t) => {
  const opened = await openTestRuntime();
  t.context = { opened, driver: opened.driver };
});

test.afterEach.always(({ context: { opened } }) => opened.release());

test('a task that is prepared and not created leaves nothing once it is deleted', async (t) => {
  const { driver, opened } = t.context;
  await driver.describe();
  await driver.prepareTask?.({ ...requestFor(rootfs.path, 'task', []), terminal: true });
  const tasks = join(opened.dirs.state, 'memory/tasks');
  t.is((await processesOfBundle(tasks)).length, 1);
  await driver.delete('task');
  t.deepEqual(await processesOfBundle(tasks), []);
  t.deepEqual(await readdir(tasks), []);
  t.deepEqual(await readdir(join(opened.dirs.state, 'tty')), []);
});

test('a monitor that was started early creates the task: without it the creation fails, and leaves nothing', async (t) => {
  const { driver, opened } = t.context;
  await driver.describe();
  await driver.prepareTask?.({ ...requestFor(rootfs.path, 'task', []), terminal: false });
  const tasks = join(opened.dirs.state, 'memory/tasks');
  const [waiting = 0] = await processesOfBundle(tasks);
  process.kill(waiting, 'SIGKILL');
  await t.throwsAsync(driver.create(requestFor(rootfs.path, 'task', ['true'])), { instanceOf: TaskStartError });
  t.deepEqual(await readdir(tasks), []);
  t.deepEqual(await readdir(join(opened.dirs.state, 'memory/runtime')), []);
  t.deepEqual(await driver.tasks(), []);
});
