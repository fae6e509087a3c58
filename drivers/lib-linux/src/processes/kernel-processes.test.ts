import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { kernelMounts } from '../mounts/kernel-mounts.js';
import { parseCapabilityMask } from './capability-names.js';
import { kernelProcesses, parseProcessStatus } from './kernel-processes.js';
import { probeKernel } from './probe-kernel.js';
import { signalName, signalNumber } from './signals.js';

const launcher = new SpawnLauncher();

test('a process is distinguished from a later one with the same pid', async (t) => {
  const launched = await launcher.launch({ file: 'sleep', args: ['60'], newSession: true });
  const status = kernelProcesses.status(launched.pid);
  t.like(status, {
    pid: launched.pid,
    command: 'sleep',
    parent: process.pid,
    group: launched.pid,
    session: launched.pid,
  });
  t.true(kernelProcesses.isAlive(launched.pid));
  t.true(kernelProcesses.isAlive(launched.pid, status?.startTime));
  t.false(kernelProcesses.isAlive(launched.pid, (status?.startTime ?? 0) + 1));
  t.true(kernelProcesses.kill(launched.pid, 0));
  t.true(kernelProcesses.kill(-launched.pid, 15));
  t.is((await launched.exited).signal, 15);
  t.false(kernelProcesses.isAlive(launched.pid));
  t.false(kernelProcesses.kill(launched.pid, 9));
  t.is(kernelProcesses.status(launched.pid), undefined);
  t.throws(() => kernelProcesses.kill(process.pid, 99), { code: 'EINVAL' });
});

test('a process is scheduled as batch', async (t) => {
  const policyOf = (pid: number | string): number =>
    Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[38],
    );
  const launched = await launcher.launch({ file: 'sleep', args: ['60'], newSession: true });
  t.true(kernelProcesses.setBatchScheduling(launched.pid));
  t.is(policyOf(launched.pid) & 0xff, 3);
  t.false(kernelProcesses.setBatchScheduling(launched.pid));
  t.true(kernelProcesses.kill(-launched.pid, 9));
  await launched.exited;
  t.false(kernelProcesses.setBatchScheduling(launched.pid));
});

test('a name with blanks and parentheses is read whole', (t) => {
  const text = '42 (a) R (b c) S 1 40 39 0 -1 4194304 1 0 0 0 5 6 0 0 20 0 1 0 123456 9 9';
  t.deepEqual(parseProcessStatus(text), {
    pid: 42,
    command: 'a) R (b c',
    state: 'S',
    parent: 1,
    group: 40,
    session: 39,
    startTime: 123456,
  });
});

test('signals are known by name, number and in between', (t) => {
  for (const [written, number] of [
    ['SIGTERM', 15],
    ['term', 15],
    ['9', 9],
    [9, 9],
    ['SIGRTMIN', 34],
    ['RTMIN+3', 37],
    ['sigrtmax-1', 63],
    ['RTMAX', 64],
    ['CLD', 17],
    ['CHLD', 17],
    [' KILL ', 9],
  ] as const) {
    t.is(signalNumber(written), number);
  }
  for (const written of ['', 'SIG', 'NOPE', 0, '0', 65, '-1', '1.5']) t.is(signalNumber(written), undefined);
  t.is(signalName(15), 'SIGTERM');
  t.is(signalName(17), 'SIGCHLD');
  t.is(signalName(6), 'SIGABRT');
  t.is(signalName(29), 'SIGIO');
  t.is(signalName(34), 'SIGRTMIN');
  t.is(signalName(37), 'SIGRTMIN+3');
  t.is(signalName(64), 'SIGRTMAX');
  t.is(signalName(33), undefined);
});

test('capabilities are read from a mask', (t) => {
  t.deepEqual([...parseCapabilityMask('00000000a80425fb')].slice(0, 3), [
    'CAP_CHOWN',
    'CAP_DAC_OVERRIDE',
    'CAP_FOWNER',
  ]);
  t.is(parseCapabilityMask('00000000a80425fb').size, 14);
  t.true(kernelProcesses.capabilities().has('CAP_SYS_ADMIN'));
});

test('limits are read and set', (t) => {
  const { soft, hard } = kernelProcesses.getLimit('NOFILE');
  t.true(soft <= hard);
  kernelProcesses.setLimit('NOFILE', { soft: hard - 1, hard });
  t.is(kernelProcesses.getLimit('NOFILE').soft, hard - 1);
  t.true(kernelProcesses.raiseOpenFiles(1024).soft >= hard);
  t.is(kernelProcesses.getLimit('RTTIME').soft, Number.POSITIVE_INFINITY);
  t.throws(() => kernelProcesses.setLimit('NOFILE', { soft: 10, hard: 9 }), { code: 'EINVAL' });
});

test('a subreaper’s orphans become its children', async (t) => {
  const script = `
    import { kernelProcesses } from ${JSON.stringify(new URL('./index.js', import.meta.url).href)};
    import { SpawnLauncher } from ${JSON.stringify(new URL('../launcher/index.js', import.meta.url).href)};
    kernelProcesses.becomeSubreaper();
    kernelProcesses.setDumpable(false);
    const { stdout } = await new SpawnLauncher().run('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!']);
    const orphan = Number(stdout);
    console.log(kernelProcesses.status(orphan).parent === process.pid);
    kernelProcesses.kill(orphan, 9);
  `;
  const { stdout, stderr } = await launcher.run(process.execPath, ['--input-type=module', '-e', script]);
  t.is(stderr.toString(), '');
  t.is(stdout.toString(), 'true\n');
});

test.serial('this host can run containers, and trying leaves nothing behind', async (t) => {
  // What the first call loads and keeps open is no leak; what every call adds is.
  const workDirectory = mkdtempSync(join(tmpdir(), 'gantry-processes-'));
  t.teardown(() => rmSync(workDirectory, { recursive: true, force: true }));
  const features = await probeKernel({ workDirectory });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const descriptors = readdirSync('/proc/self/fd').length;
  await probeKernel({ workDirectory });
  for (const { name, available, advice, required } of features) {
    t.is(advice === undefined, available, `${name}: ${advice}`);
    t.true(available || !required, `${name}: ${advice}`);
  }
  const deadline = Date.now() + 5000;
  while (readdirSync('/proc/self/fd').length > descriptors && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  t.true(readdirSync('/proc/self/fd').length <= descriptors);
  t.false((await kernelMounts.list()).some(({ target }) => target.startsWith(workDirectory)));
  t.deepEqual(readdirSync(workDirectory), []);
});
