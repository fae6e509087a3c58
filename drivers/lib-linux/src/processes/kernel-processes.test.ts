import { readFileSync } from 'node:fs';
import test from 'ava';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { parseCapabilityMask } from './capability-names.js';
import { kernelProcesses, parseProcessStatus } from './kernel-processes.js';

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
