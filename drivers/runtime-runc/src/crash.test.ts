import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Opened, openDriver, removeDirectory } from '@gantry/conformance';
import type { RuntimeDriver } from '@gantry/core/contracts';
import { kernelCgroups } from '@gantry/lib-linux/cgroups';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import definition from './index.js';
import { processesOfBundle } from './monitor/processes-of-bundle.js';
import { deadlines } from './testing/open-test-runtime.js';
import { makeRootfs } from './testing/rootfs.js';

interface Host {
  readonly root: string;
  readonly cgroupParent: string;
}

const test = anyTest as TestFn<Host>;
const rootfs = await makeRootfs();
test.after.always('the root file system goes', () => rootfs.remove());

test.beforeEach(async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'gantry-runtime-crash-'));
  t.context = { root, cgroupParent: `/${root.slice(root.lastIndexOf('/') + 1)}` };
});
test.afterEach.always(({ context: { root } }) => removeDirectory(root));

const daemon = fileURLToPath(new URL('./testing/crashing-daemon.js', import.meta.url));

/** Runs a daemon until it is killed: at a crash point, after some milliseconds, or after its last step. */
async function runDaemon(
  { root, cgroupParent }: Host,
  steps: readonly string[],
  end: { readonly at?: string; readonly afterMs?: number } = {},
): Promise<string> {
  const child = spawn(process.execPath, [daemon, root, cgroupParent, rootfs.path, 'task', ...steps], {
    env: { ...process.env, ...(end.at !== undefined && { GANTRY_CRASH_AT: end.at }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close'); // listens at once: a daemon may finish its steps before it is killed
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  if (end.afterMs !== undefined) {
    await mkdir(join(root, 'state'), { recursive: true });
    await appears(join(root, 'state/memory/tasks/task'));
    await delay(end.afterMs);
    child.kill('SIGKILL');
  }
  const [, signal] = (await closed) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the daemon ended by itself (${signal}): ${printed}`);
  return printed.trim();
}

async function appears(path: string): Promise<void> {
  for (;;) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return;
    await delay(1);
  }
}

async function nextDaemon({ root, cgroupParent }: Host): Promise<Opened<RuntimeDriver>> {
  return openDriver(definition, { root, config: { cgroupParent, deadlines } });
}

/** Deletes the task and checks that nothing of it is left. */
async function deletesEverything(t: ExecutionContext<Host>, opened: Opened<RuntimeDriver>): Promise<void> {
  const { driver, dirs } = opened;
  await driver.delete('task', { force: true });
  t.deepEqual(await driver.tasks(), []);
  t.deepEqual(await processesOfBundle(join(dirs.state, 'memory/tasks/task')), []);
  t.deepEqual(await readdir(join(dirs.state, 'memory/tasks')), []);
  t.deepEqual(await readdir(join(dirs.state, 'memory/runtime')), []);
  const group = await kernelCgroups.group(`${t.context.cgroupParent}/task`);
  t.false(await group.exists());
  await opened.release();
  t.false(await (await kernelCgroups.group(t.context.cgroupParent)).exists());
}

for (const point of ['runtime.create.bundle', 'runtime.create.launched']) {
  test(`a daemon killed at ${point} leaves a broken task that can be deleted`, async (t) => {
    t.is(await runDaemon(t.context, ['create'], { at: point }), '');
    const opened = await nextDaemon(t.context);
    t.deepEqual(
      (await opened.driver.tasks()).map(({ id, status }) => [id, status]),
      [['task', 'broken']],
    );
    await t.throwsAsync(opened.driver.startTask('task'), { message: /orphaned by a crash/ });
    await deletesEverything(t, opened);
  });
}

for (const [when, point] of [
  ['as its monitor is started', 'runtime.prepare.launched'],
  ['while its monitor waits', undefined],
] as const) {
  test(`a daemon killed before a task is created, ${when}, leaves a broken task that can be deleted`, async (t) => {
    const printed = await runDaemon(t.context, ['describe', 'prepare'], point === undefined ? {} : { at: point });
    t.is(printed, point === undefined ? 'describe\nprepare' : 'describe');
    const opened = await nextDaemon(t.context);
    t.deepEqual(
      (await opened.driver.tasks()).map(({ id, status }) => [id, status]),
      [['task', 'broken']],
    );
    await deletesEverything(t, opened);
  });
}

test('a monitor that waits for its task ends with the daemon', async (t) => {
  await runDaemon(t.context, ['describe', 'prepare']);
  const bundle = join(t.context.root, 'state/memory/tasks/task');
  while ((await processesOfBundle(bundle)).length > 0) await delay(1);
  t.deepEqual(await readdir(join(t.context.root, 'state/memory/runtime')), []);
  await deletesEverything(t, await nextDaemon(t.context));
});

test('a daemon killed at any moment of a create leaves a task that is created or broken', async (t) => {
  for (const afterMs of [0, 1, 3, 6, 10, 15, 20, 30]) {
    const host = { ...t.context, root: join(t.context.root, String(afterMs)) };
    await runDaemon(host, ['describe', 'prepare', 'create', 'wait'], { afterMs });
    const opened = await nextDaemon(host);
    const [task] = await opened.driver.tasks();
    t.true(task?.status === 'broken' || task?.status === 'created', `after ${afterMs} ms: ${task?.status}`);
    await opened.driver.delete('task');
    t.deepEqual(await processesOfBundle(join(opened.dirs.state, 'memory/tasks/task')), []);
    t.deepEqual(await readdir(join(opened.dirs.state, 'memory/runtime')), []);
    t.false(await (await kernelCgroups.group(`${host.cgroupParent}/task`)).exists());
    await opened.release();
  }
});

test('a daemon killed when a task was recorded leaves it created', async (t) => {
  await runDaemon(t.context, ['create'], { at: 'runtime.create.recorded' });
  const opened = await nextDaemon(t.context);
  t.is((await opened.driver.status('task')).status, 'created');
  await opened.driver.startTask('task');
  t.is((await opened.driver.status('task')).status, 'running');
  await deletesEverything(t, opened);
});

test('a daemon killed when a program had been started leaves it running', async (t) => {
  await runDaemon(t.context, ['create', 'start'], { at: 'runtime.start.released' });
  const opened = await nextDaemon(t.context);
  t.is((await opened.driver.status('task')).status, 'running');
  const exec = await opened.driver.processes.exec('task', {
    execId: 'exec',
    process: { user: { uid: 0, gid: 0 }, args: ['true'], cwd: '/', env: ['PATH=/bin'] },
    openStdin: false,
    detached: true,
  });
  t.is(await exec.exited, 0);
  await deletesEverything(t, opened);
});

test('a daemon killed in a delete leaves a task that can be deleted', async (t) => {
  await runDaemon(t.context, ['create', 'start', 'delete'], { at: 'runtime.delete.purged' });
  const opened = await nextDaemon(t.context);
  const status = await opened.driver.status('task');
  t.is(status.status === 'exited' ? status.exitCode : status.status, 137);
  await deletesEverything(t, opened);
});

test('an exit without a daemon is there for the next one', async (t) => {
  t.is(await runDaemon(t.context, ['create', 'start']), 'create\nstart');
  const [first = 0] = await (await kernelCgroups.group(`${t.context.cgroupParent}/task`)).processes();
  process.kill(first, 'SIGKILL');
  await appears(join(t.context.root, 'state/memory/tasks/task/exit'));
  const opened = await nextDaemon(t.context);
  const status = await opened.driver.status('task');
  t.is(status.status === 'exited' ? status.exitCode : status.status, 137);
  await deletesEverything(t, opened);
});

test('runtime state without a task is removed at the start', async (t) => {
  await mkdir(join(t.context.root, 'state/memory/runtime/orphan'), { recursive: true });
  const opened = await nextDaemon(t.context);
  t.deepEqual(await readdir(join(opened.dirs.state, 'memory/runtime')), []);
  t.deepEqual(await opened.driver.tasks(), []);
  await opened.release();
});
