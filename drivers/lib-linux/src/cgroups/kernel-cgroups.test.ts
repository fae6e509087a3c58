import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ringBufferLog } from '../kernel-log/ring-buffer-log.js';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { parseMountinfo } from '../mounts/parse-mountinfo.js';
import type { Cgroup } from './cgroups.js';
import { KernelCgroup } from './kernel-cgroup.js';
import { kernelCgroups, parseProcessCgroups } from './kernel-cgroups.js';
import { layoutOf } from './read-layout.js';

const launcher = new SpawnLauncher();
let count = 0;

async function freshGroup(t: ExecutionContext): Promise<Cgroup> {
  count += 1;
  const parent = await kernelCgroups.group(`/linux-test-${process.pid}-${count}`);
  const group = await kernelCgroups.group(`${parent.path}/child`);
  t.teardown(async () => {
    await parent.killAll();
    await parent.remove();
  });
  return group;
}

test('the layout names a place for every controller of this host', async (t) => {
  const { mode, controllers } = await kernelCgroups.layout();
  t.true(['v1', 'hybrid', 'v2'].includes(mode));
  for (const { mount } of controllers.values()) t.true(existsSync(mount));
  t.true(controllers.has('memory'));
});

test('a group is made in every hierarchy, used, and removed with what is below', async (t) => {
  const group = await freshGroup(t);
  t.false(await group.exists());
  t.deepEqual(await group.processes(), []);
  await group.create();
  await group.create();
  t.true(group.directories().every(existsSync));
  const launched = await launcher.launch({ file: 'sleep', args: ['60'] });
  await group.add(launched.pid);
  t.deepEqual(await group.processes(), [launched.pid]);
  t.is((await kernelCgroups.ofProcess(launched.pid)).path, group.path);
  const parent = await kernelCgroups.group(group.path.replace('/child', ''));
  t.deepEqual(await parent.processes(), []);
  t.deepEqual(await parent.processes({ recursive: true }), [launched.pid]);
  await t.throwsAsync(group.remove(), { code: 'EBUSY' });
  await parent.killAll();
  t.is((await launched.exited).signal, 9);
  await parent.remove();
  t.false(await parent.exists());
  await t.notThrowsAsync(parent.remove());
});

test('a group is frozen, thawed, and killed while frozen', async (t) => {
  const group = await freshGroup(t);
  await group.create();
  const launched = await launcher.launch({ file: 'sh', args: ['-c', 'while :; do :; done'] });
  await group.add(launched.pid);
  t.false(await group.isFrozen());
  await group.freeze();
  t.true(await group.isFrozen());
  await group.thaw();
  t.false(await group.isFrozen());
  await group.freeze();
  await group.killAll();
  t.is((await launched.exited).signal, 9);
});

test('limits are written and read back, and what the host lacks says so', async (t) => {
  const group = await freshGroup(t);
  await group.create();
  await group.write('pids', 'pids.max', 17);
  t.is(await group.read('pids', 'pids.max'), '17');
  t.is((await group.statistics()).pids?.limit, 17);
  await t.throwsAsync(group.write('pids', 'pids.max', 'rubbish'), { code: 'EINVAL' });
  await t.throwsAsync(group.write('pids', 'no.such.file', 1));
  await t.throwsAsync(group.write('rdma', 'rdma.max', 1), { code: 'ENOENT', message: /rdma/ });
  t.is(await group.read('rdma', 'rdma.max'), undefined);
});

test('statistics of a group at work count up', async (t) => {
  const group = await freshGroup(t);
  await group.create();
  const directory = group.directory('cpu') ?? '';
  const all = group.directories().map((path) => `echo $$ >${path}/cgroup.procs`);
  const launched = await launcher.launch({ file: 'sh', args: ['-c', `${all.join(';')}; while :; do :; done`] });
  t.true(existsSync(directory));
  let statistics = await group.statistics();
  while ((statistics.cpu?.total ?? 0) < 30_000_000) statistics = await group.statistics();
  t.true((statistics.memory?.usage ?? 0) > 0);
  t.is(statistics.memory?.limit, undefined);
  t.is(statistics.pids?.current, 1);
  t.true((statistics.cpu?.perCpu ?? []).every(Number.isFinite));
  launched.kill(9);
  await launched.exited;
});

test('processes that the kernel kills for want of memory are counted', async (t) => {
  const group = await freshGroup(t);
  t.is(await group.memoryKills(), undefined);
  await group.create();
  t.is(await group.memoryKills(), 0);
  const isOld = (await kernelCgroups.layout()).controllers.get('memory')?.version === 1;
  await group.write('memory', isOld ? 'memory.limit_in_bytes' : 'memory.max', 8 * 2 ** 20);
  const swap = isOld ? 'memory.memsw.limit_in_bytes' : 'memory.swap.max';
  await group.write('memory', swap, isOld ? 8 * 2 ** 20 : 0).catch(() => undefined);
  const all = group.directories().map((path) => `echo $$ >${path}/cgroup.procs`);
  const launched = await launcher.launch({ file: 'sh', args: ['-c', `${all.join(';')}; exec tail /dev/zero`] });
  t.is((await launched.exited).signal, 9);
  t.is(await group.memoryKills(), 1);
  const logged = ringBufferLog.memoryKills().filter(({ pid }) => pid === launched.pid);
  t.true(logged.at(-1)?.cgroup.endsWith(group.path));
});

test('a group that is not there has no statistics', async (t) => {
  const group = await kernelCgroups.group('/no/such/group');
  t.deepEqual(await group.statistics(), { cpu: undefined, memory: undefined, blkio: undefined, pids: undefined });
});

test('a path that leaves the tree is refused', async (t) => {
  await t.throwsAsync(kernelCgroups.group('/../x'), { instanceOf: TypeError });
  await t.throwsAsync(kernelCgroups.ofProcess(2 ** 30), { code: 'ENOENT' });
});

test('the groups of a process are read, colons and all', (t) => {
  t.deepEqual(
    parseProcessCgroups('5:cpu,cpuacct:/a:b\n1:name=systemd:/c\n0::/d\n'),
    new Map([
      ['cpu,cpuacct', '/a:b'],
      ['name=systemd', '/c'],
      ['', '/d'],
    ]),
  );
});

test('a host with version 2 only is recognized', async (t) => {
  const text = '30 23 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,nsdelegate\n';
  const layout = await layoutOf(parseMountinfo(text), async () => ['cpuset', 'cpu', 'io', 'memory', 'pids']);
  t.is(layout.mode, 'v2');
  for (const name of ['cpu', 'cpuacct', 'blkio', 'freezer', 'devices', 'memory']) {
    t.deepEqual(layout.controllers.get(name), { mount: '/sys/fs/cgroup', version: 2 });
  }
  const together = '31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n';
  const first = await layoutOf(parseMountinfo(together), async () => []);
  t.is(first.mode, 'v1');
  t.deepEqual([...first.controllers.keys()], ['cpu', 'cpuacct']);
  const both = await layoutOf(parseMountinfo(text + together), async () => []);
  t.is(both.mode, 'hybrid');
});

test('the counters of version 2 are read', async (t) => {
  const mount = await mkdtemp(join(tmpdir(), 'cgroups-'));
  t.teardown(() => rm(mount, { recursive: true }));
  const files = {
    'cpu.stat': 'usage_usec 1500\nuser_usec 1000\nsystem_usec 500\nnr_periods 7\nnr_throttled 2\nthrottled_usec 30\n',
    'memory.current': '4096\n',
    'memory.peak': '8192\n',
    'memory.max': 'max\n',
    'memory.events': 'low 0\nhigh 0\nmax 3\noom 1\n',
    'memory.stat': 'anon 100\nfile 200\ninactive_file 50\n',
    'io.stat': '8:0 rbytes=10 wbytes=20 rios=1 wios=2 dbytes=0 dios=0\n8:16 rbytes=5\n',
    'pids.current': '3\n',
    'pids.max': '100\n',
    'cgroup.procs': '12\n13\n',
    'cgroup.events': 'populated 1\nfrozen 1\n',
  };
  const directory = join(mount, 'group');
  await mkdir(directory);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const table = `30 23 0:26 / ${mount} rw - cgroup2 cgroup2 rw\n`;
  const layout = await layoutOf(parseMountinfo(table), async () => ['cpu', 'io', 'memory', 'pids']);
  const group = new KernelCgroup('/group', layout, () => '/group');
  const { cpu, memory, blkio, pids } = await group.statistics();
  t.deepEqual(cpu, {
    total: 1_500_000,
    user: 1_000_000,
    kernel: 500_000,
    perCpu: [],
    throttling: { periods: 7, throttledPeriods: 2, throttledTime: 30_000 },
  });
  t.deepEqual(memory, {
    usage: 4096,
    maxUsage: undefined,
    limit: undefined,
    failures: undefined,
    counters: { anon: 100, file: 200, inactive_file: 50 },
  });
  t.deepEqual(blkio?.serviceBytes, [
    { major: 8, minor: 0, op: 'read', value: 10 },
    { major: 8, minor: 0, op: 'write', value: 20 },
    { major: 8, minor: 16, op: 'read', value: 5 },
    { major: 8, minor: 16, op: 'write', value: 0 },
  ]);
  t.is(blkio?.serviced, undefined);
  t.deepEqual(pids, { current: 3, limit: 100 });
  t.deepEqual(await group.processes(), [12, 13]);
  t.true(await group.isFrozen());
});
