import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Opened, until } from '@gantry/conformance';
import { type OciSpec, type RuntimeDriver, type TaskExit, TaskStartError } from '@gantry/core/contracts';
import { type Cgroup, kernelCgroups } from '@gantry/lib-linux/cgroups';
import { isErrno } from '@gantry/lib-linux/errors';
import anyTest, { type TestFn } from 'ava';
import { openTestRuntime } from './testing/open-test-runtime.js';
import { requestFor, specFor } from './testing/request.js';
import { makeRootfs } from './testing/rootfs.js';

interface Fixture {
  readonly opened: Opened<RuntimeDriver>;
  readonly driver: RuntimeDriver;
  readonly exits: TaskExit[];
}

const test = anyTest as TestFn<Fixture>;
const rootfs = await makeRootfs();
test.after.always('the root file system goes', () => rootfs.remove());

test.beforeEach(async (t) => {
  const opened = await openTestRuntime();
  const exits: TaskExit[] = [];
  opened.driver.onExit((exit) => exits.push(exit));
  t.context = { opened, driver: opened.driver, exits };
});

test.afterEach.always(async ({ context: { driver, opened } }) => {
  for (const { id } of await driver.tasks()) await driver.delete(id, { force: true });
  await opened.release();
});

const sh = (script: string): readonly string[] => ['sh', '-c', script];

async function run(driver: RuntimeDriver, args: readonly string[], change: (spec: OciSpec) => OciSpec = (s) => s) {
  await driver.create({ ...requestFor(rootfs.path, 'task', args), spec: change(specFor(rootfs.path, args)) });
  await driver.startTask('task');
}

const monitorOf = async ({ opened }: Fixture): Promise<number> =>
  Number(await readFile(join(opened.dirs.state, 'memory/tasks/task/monitor.pid'), 'utf8'));

async function cgroupOf({ opened }: Fixture): Promise<Cgroup> {
  const text = await readFile(join(opened.dirs.state, 'memory/tasks/task/task.json'), 'utf8');
  return kernelCgroups.group((JSON.parse(text) as { cgroup: string }).cgroup);
}

const cpuTime = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
};

test('a limit of CPU time is lifted while the program runs', async (t) => {
  const { driver } = t.context;
  await run(driver, ['sleep', '60']);
  const cgroup = await cgroupOf(t.context);
  const quota = async () => (await cgroup.read('cpu', 'cpu.cfs_quota_us')) ?? (await cgroup.read('cpu', 'cpu.max'));
  await driver.update('task', { cpu: { quota: 50_000 } });
  t.regex((await quota()) ?? '', /^50000\b/);
  await driver.update('task', { cpu: { quota: -1, shares: 512 } });
  t.regex((await quota()) ?? '', /^(?:-1|max)\b/);
});

test('an out-of-memory kill is published and marks the exit', async (t) => {
  const { driver, exits } = t.context;
  const oomKilled: string[] = [];
  driver.onOom((id) => oomKilled.push(id));
  await run(driver, sh('tail /dev/zero; tail /dev/zero; exit 3'), (spec) => ({
    ...spec,
    linux: {
      ...spec.linux,
      resources: { ...spec.linux.resources, memory: { limit: 16 * 2 ** 20, swap: 16 * 2 ** 20 } },
    },
  }));
  await until('the exit is published', () => exits.length > 0);
  t.like(exits[0], { exitCode: 3, oomKilled: true });
  t.true(oomKilled.length >= 1);
  t.true(oomKilled.every((id) => id === 'task'));
});

test('a task has the shared memory of another one, which must run', async (t) => {
  const { driver, exits } = t.context;
  const shm = { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: ['mode=1777', 'size=1m'] };
  const withShm = (args: readonly string[]): OciSpec => {
    const spec = specFor(rootfs.path, args);
    return { ...spec, mounts: [...(spec.mounts ?? []), shm] };
  };
  const create = (id: string, args: readonly string[], sharedMemoryOf?: string) =>
    driver.create({
      ...requestFor(rootfs.path, id, args, sharedMemoryOf === undefined ? {} : { sharedMemoryOf }),
      spec: withShm(args),
    });
  await create('giver', sh('until test -e /dev/shm/answer; do sleep 0.05; done; exit 5'));
  await t.throwsAsync(create('early', sh('true'), 'giver'), { message: /giver, which does not run/ });
  await driver.startTask('giver');
  await create('taker', sh('echo here > /dev/shm/answer; exit 6'), 'giver');
  await driver.startTask('taker');
  await until('both have ended', () => exits.length === 2);
  t.deepEqual(Object.fromEntries(exits.map(({ id, exitCode }) => [id, exitCode])), { giver: 5, taker: 6 });
  t.false((await driver.tasks()).some(({ id }) => id === 'early'));
});

test('a task whose monitor is killed is ended, and its exit code is lost', async (t) => {
  const { driver, exits } = t.context;
  await run(driver, ['sleep', '1000']);
  process.kill(await monitorOf(t.context), 'SIGKILL');
  await until('the exit is published', () => exits.length > 0);
  t.like(exits[0], { id: 'task', exitCode: 255, lost: 'the monitor of the container was killed' });
  t.deepEqual(await driver.tasks(), [{ ...(exits[0] as TaskExit), status: 'exited' }]);
});

test('a monitor that was killed without a daemon costs the task too', async (t) => {
  const { driver, opened } = t.context;
  await run(driver, ['sleep', '1000']);
  const monitor = await monitorOf(t.context);
  const group = await cgroupOf(t.context);
  const record = join(opened.dirs.state, 'memory/tasks/task/task.json');
  const known = JSON.parse(await readFile(record, 'utf8')) as { monitor: { startTime: number } };
  // As if another process had its number by now.
  await writeFile(record, JSON.stringify({ ...known, monitor: { pid: monitor, startTime: 1 } }));
  const next = await opened.reopen({ crash: true });
  t.context = { ...t.context, opened: next, driver: next.driver };
  t.like(await next.driver.status('task'), { status: 'exited', exitCode: 255 });
  await next.driver.delete('task');
  t.deepEqual(await group.processes(), []);
  // This driver does not know it: it exits with the task, or is killed here.
  t.notThrows(() => endStranger(monitor));
});

function endStranger(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

test('a process can write a large pipe buffer before it waits for its monitor, and all of it is in the spool', async (t) => {
  const { driver, exits, opened } = t.context;
  const spool = join(opened.dirs.state, 'spool');
  const args = sh('head -c 400000 /dev/zero | tr "\\0" x; echo; echo >&2; exec sleep 0.1');
  await driver.create(requestFor(rootfs.path, 'task', args, { spool }));
  const monitor = await monitorOf(t.context);
  process.kill(monitor, 'SIGSTOP');
  try {
    const [task] = await driver.tasks();
    await driver.startTask('task');
    const pid = task?.status === 'created' ? task.pid : 0;
    await until('it has written all', async () => (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'sleep\n');
  } finally {
    process.kill(monitor, 'SIGCONT');
  }
  await until('the exit is published', () => exits.length > 0);
  const spooled = await readFile(spool, 'latin1');
  t.is(spooled.replaceAll(/^\S+ \S+ [FP] /gm, '').match(/x/g)?.length, 400_000);
});

test('the first process of a task is crun in sealed memory until it is started', async (t) => {
  const { driver } = t.context;
  const { path } = await driver.describe();
  await driver.create(requestFor(rootfs.path, 'task', ['sleep', '60']));
  const [task] = await driver.tasks();
  const pid = task?.status === 'created' ? task.pid : 0;
  t.is(await readlink(`/proc/${pid}/exe`), path.endsWith('/crun') ? '/memfd:gantry-crun (deleted)' : path);
  await driver.startTask('task');
  t.is(await readFile(`/proc/${pid}/comm`, 'utf8'), 'sleep\n');
});

test('input for a process that has closed its stdin is refused without keeping the monitor busy', async (t) => {
  const { driver } = t.context;
  await driver.create({ ...requestFor(rootfs.path, 'task', sh('exec <&-; echo closed; sleep 1000')), openStdin: true });
  const streams = await driver.io.attach('task');
  await driver.startTask('task');
  for await (const { bytes } of streams.output.take(1)) t.is(Buffer.from(bytes).toString(), 'closed\n');
  const again = await driver.io.attach('task');
  await t.throwsAsync(again.writeStdin(Buffer.alloc(32_768)), { message: /stdin is closed/ });
  const monitor = await monitorOf(t.context);
  const before = await cpuTime(monitor);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.true((await cpuTime(monitor)) - before <= 2, 'the monitor is idle');
});

for (const [program, words] of [
  ['/no-interpreter', /no such file or directory/i],
  ['/no-program', /exec format error/i],
] as const) {
  test(`a program the kernel refuses at the last moment, ${program}, exits with its reason on stderr`, async (t) => {
    const { driver, exits } = t.context;
    await driver.create(requestFor(rootfs.path, 'task', [program]));
    const { output } = await driver.io.attach('task');
    await driver.startTask('task');
    let text = '';
    for await (const { bytes } of output) text += Buffer.from(bytes).toString();
    t.regex(text, words);
    await until('the exit is published', () => exits.length > 0);
    t.not(exits[0]?.exitCode, 0);
  });
}

test('a file that may not be executed is refused with 126', async (t) => {
  const { driver } = t.context;
  const creating = driver.create(requestFor(rootfs.path, 'task', ['/not-executable']));
  t.like(await t.throwsAsync(creating, { instanceOf: TaskStartError, message: /permission denied/ }), {
    exitCode: 126,
  });
});

test('a mount that is refused is a failed start with 128 and leaves nothing', async (t) => {
  const { driver, opened } = t.context;
  const spec = specFor(rootfs.path, ['true']);
  const mounts = [...spec.mounts, { destination: '/tmp', type: 'bind', source: '/no/such/source', options: ['bind'] }];
  const creating = driver.create({ ...requestFor(rootfs.path, 'task', ['true']), spec: { ...spec, mounts } });
  t.like(await t.throwsAsync(creating, { instanceOf: TaskStartError }), { exitCode: 128 });
  t.deepEqual(await readdir(join(opened.dirs.state, 'memory/tasks')), []);
  t.deepEqual(await readdir(join(opened.dirs.state, 'memory/runtime')), []);
});

test('the cgroup is removed at exit, without a request', async (t) => {
  const { driver, exits } = t.context;
  await run(driver, ['true']);
  await until('the exit is published', () => exits.length > 0);
  const group = await cgroupOf(t.context);
  await until('the cgroup is gone', async () => !(await group.exists()));
  t.is((await driver.status('task')).status, 'exited');
});

test("processes that outlive the first one end with it, in the host's process namespace too", async (t) => {
  const { driver, exits } = t.context;
  await run(driver, sh('sleep 1000 & sleep 0.1; exit 4'), (spec) => ({
    ...spec,
    linux: { ...spec.linux, namespaces: spec.linux.namespaces.filter(({ type }) => type !== 'pid') },
  }));
  const group = await cgroupOf(t.context);
  await until('the exit is published', () => exits.length > 0);
  t.is(exits[0]?.exitCode, 4);
  await driver.delete('task');
  t.deepEqual(await group.processes(), []);
});

test("an exec's output ends with it, even if another process holds the pipe", async (t) => {
  const { driver } = t.context;
  await run(driver, ['sleep', '1000']);
  const { process } = specFor(rootfs.path, sh('sleep 1000 & echo said; exit 2'));
  const exec = await driver.processes.exec('task', { execId: 'exec', process, openStdin: false, detached: false });
  let text = '';
  for await (const { bytes } of exec.streams?.output ?? []) text += Buffer.from(bytes).toString();
  t.is(text, 'said\n');
  t.is(await exec.exited, 2);
  t.is((await driver.processes.list('task')).length, 2);
});

test('a runtime that is neither runc nor crun is only used by its command line', async (t) => {
  const path = join(t.context.opened.dirs.root, 'wrapped-runtime');
  const script = '#!/bin/sh\ncase "$*" in *--version*) echo wrapped version 1.0;; *) exec runc "$@";; esac\n';
  await writeFile(path, script, { mode: 0o755 });
  const wrapped = await openTestRuntime({ runtimes: { wrapped: { path }, runc: { path: 'runc' } }, default: 'runc' });
  const { driver } = wrapped;
  const exits: number[] = [];
  driver.onExit(({ exitCode }) => exits.push(exitCode));
  await driver.create(requestFor(rootfs.path, 'task', ['sleep', '1000'], { runtime: 'wrapped' }));
  await driver.startTask('task');
  const { process } = specFor(rootfs.path, sh('echo said; exit 2'));
  const exec = await driver.processes.exec('task', { execId: 'exec', process, openStdin: false, detached: false });
  exec.streams?.output.resume();
  t.is(await exec.exited, 2);
  await driver.kill('task', 9);
  await until('the exit is published', () => exits.length > 0);
  t.deepEqual(exits, [137]);
  await driver.delete('task');
  t.deepEqual(await readdir(join(wrapped.dirs.state, 'memory/runtime')), []);
  await wrapped.release();
});

test('hooks of the start and the stop are run', async (t) => {
  const { driver, opened, exits } = t.context;
  const marks = join(opened.dirs.root, 'marks');
  // A hook is given the task's state to read; crun does not survive one that ends before it has been written.
  const hook = (name: string) => ({ path: '/bin/sh', args: ['sh', '-c', `cat > /dev/null; echo ${name} >> ${marks}`] });
  await run(driver, ['sleep', '0.2'], (spec) => ({
    ...spec,
    hooks: { poststart: [hook('poststart')], poststop: [hook('poststop')] },
  }));
  await until('the exit is published', () => exits.length > 0);
  await driver.delete('task');
  t.is(await readFile(marks, 'utf8'), 'poststart\npoststop\n');
});

test("a cgroup that is not the task's own is refused", async (t) => {
  const { driver } = t.context;
  for (const cgroupsPath of ['/', '/system.slice', '/a/../task']) {
    const spec = specFor(rootfs.path, ['true']);
    const request = {
      ...requestFor(rootfs.path, 'task', ['true']),
      spec: { ...spec, linux: { ...spec.linux, cgroupsPath } },
    };
    await t.throwsAsync(driver.create(request), { message: /cgroupsPath/ });
  }
});

test('a spool with a colon in its path, which the monitor would truncate, is refused', async (t) => {
  const { driver } = t.context;
  const request = requestFor(rootfs.path, 'task', ['true'], { spool: '/tmp/a:b' });
  await t.throwsAsync(driver.create(request), { message: /spool: "\/tmp\/a:b"/ });
});

test('nothing stays open in the daemon after many tasks and execs', async (t) => {
  const { driver } = t.context;
  const count = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  const once = async (): Promise<void> => {
    await driver.create({ ...requestFor(rootfs.path, 'task', ['cat']), openStdin: true, stdinOnce: true });
    const streams = await driver.io.attach('task');
    await driver.startTask('task');
    const exec = await driver.processes.exec('task', {
      execId: 'exec',
      process: { user: { uid: 0, gid: 0 }, args: ['true'], cwd: '/', env: ['PATH=/bin'] },
      openStdin: true,
      detached: false,
    });
    exec.streams?.output.resume();
    await exec.exited;
    await streams.endStdin();
    streams.output.resume();
    await driver.delete('task', { force: true });
  };
  await once();
  const before = await count();
  for (let turn = 0; turn < 8; turn++) await once();
  await until('everything is closed', async () => (await count()) <= before);
  t.pass();
});

test.serial('a runtime that hangs is given up with a reason, and nothing is left', async (t) => {
  const { opened } = t.context;
  const path = join(opened.dirs.root, 'hanging-runtime');
  await mkdir(opened.dirs.root, { recursive: true });
  const started = join(opened.dirs.root, 'started');
  const hang = `sleep 1000 & echo $! >> ${started}; wait`;
  await writeFile(path, `#!/bin/sh\ncase "$*" in *--version*) echo hanging version 1.0;; *create*) ${hang};; esac\n`);
  await chmod(path, 0o755);
  const slow = await openTestRuntime({
    runtimes: { hanging: { path }, runc: { path: 'runc' } },
    default: 'runc',
    deadlines: { create: 300 },
  });
  const creating = slow.driver.create(requestFor(rootfs.path, 'task', ['true'], { runtime: 'hanging' }));
  await t.throwsAsync(creating, { message: 'the runtime did not answer within 0.3 s to create task' });
  t.deepEqual(await slow.driver.tasks(), []);
  t.deepEqual(await readdir(join(slow.dirs.state, 'memory/tasks')), []);
  const pids = (await readFile(started, 'utf8')).split('\n').filter(Boolean);
  t.is(pids.length, 1);
  const isGone = () =>
    stat(`/proc/${pids[0]}`).then(
      () => false,
      (error: unknown) => isErrno(error, 'ENOENT'),
    );
  await until('what the runtime had started is gone, too', isGone);
  const controller = new AbortController();
  const aborted = slow.driver.create(requestFor(rootfs.path, 'task', ['true'], { runtime: 'hanging' }), {
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(), 50);
  t.is(await aborted.catch((error: Error) => error.name), 'AbortError');
  t.deepEqual(await readdir(join(slow.dirs.state, 'memory/tasks')), []);
  await slow.release();
});

test('the outcomes of probes are remembered', async (t) => {
  const { opened } = t.context;
  const file = join(opened.dirs.root, 'probe.json');
  // At a first start this is what waits for the outcome.
  await t.context.driver.describe();
  const { mtimeMs } = await stat(file);
  const next = await opened.reopen();
  t.is((await stat(file)).mtimeMs, mtimeMs);
  t.deepEqual(await next.driver.describe(), await t.context.driver.describe());
});

test('a runtime of which only the version is known is not queried again, and probed before its first use', async (t) => {
  const { opened } = t.context;
  const file = join(opened.dirs.root, 'probe.json');
  await t.context.driver.describe();
  const outcomes = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>;
  const refused = Object.entries(outcomes).map(([name, outcome]) => [name, { ...outcome, refusal: 'refused' }]);
  const runc = { ...outcomes.runc, isUnproved: true, refusal: 'was never asked' };
  await writeFile(file, JSON.stringify({ ...Object.fromEntries(refused), runc }));
  const next = await opened.reopen();
  await next.driver.describe();
  const { runc: proved } = JSON.parse(await readFile(file, 'utf8'));
  t.is(proved.isUnproved, undefined);
  t.is(proved.refusal, undefined);
});

test('a host without conmon skips the driver', async (t) => {
  const opening = openTestRuntime({ conmon: '/no/such/conmon-program' });
  await t.throwsAsync(opening, { name: 'DriverSkipped', message: /conmon/ });
});
