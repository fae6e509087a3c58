import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startContainer } from '@gantry/host';
import type Docker from 'dockerode';
import { type DaemonUnderTest, dial, isUnified, needs, outputOf } from './daemon-under-test.js';

const mebibyte = 2 ** 20;

/** A file of a container's cgroup, as the host sees it. */
async function cgroupFile(container: Docker.Container, file: string): Promise<string> {
  const { Pid } = (await container.inspect()).State;
  const path = /^0::(.*)$/m.exec(readFileSync(`/proc/${Pid}/cgroup`, 'utf8'))?.[1] ?? '';
  return readFileSync(join('/sys/fs/cgroup', path, file), 'utf8').trim();
}

/** The weight of block I/O, of 1 to 10000, or of BFQ's 1 to 1000 where that schedules. */
const ioWeight = async (container: Docker.Container): Promise<string> =>
  cgroupFile(container, 'io.weight').catch(() => cgroupFile(container, 'io.bfq.weight'));

/** Each resource of create and update, read back from the files of cgroup v2, and the statistics. */
export function resourcesTests({ daemon }: DaemonUnderTest): void {
  test('every resource of create and update reaches cgroup v2', needs.cgroupV2, async () => {
    const disk = ['vda', 'sda', 'nvme0n1'].find((name) => existsSync(`/sys/block/${name}`));
    const throttle = (Rate: number) => (disk === undefined ? [] : [{ Path: `/dev/${disk}`, Rate }]);
    const container = await startContainer(daemon().client, {
      HostConfig: {
        NetworkMode: 'none',
        Memory: 64 * mebibyte,
        MemorySwap: 96 * mebibyte,
        MemoryReservation: 32 * mebibyte,
        CpuShares: 512,
        CpuPeriod: 50_000,
        CpuQuota: 25_000,
        CpusetCpus: '0',
        PidsLimit: 50,
        BlkioDeviceReadBps: throttle(1_048_576),
        BlkioDeviceWriteBps: throttle(2_097_152),
        BlkioDeviceReadIOps: throttle(50),
        BlkioDeviceWriteIOps: throttle(100),
        BlkioWeight: 500,
      },
    });
    const expected: Record<string, string> = {
      'memory.max': `${64 * mebibyte}`,
      'memory.swap.max': `${32 * mebibyte}`,
      'memory.low': `${32 * mebibyte}`,
      'cpu.weight': '20',
      'cpu.max': '25000 50000',
      'cpuset.cpus': '0',
      'pids.max': '50',
    };
    for (const [file, value] of Object.entries(expected)) assert.equal(await cgroupFile(container, file), value, file);
    if (disk !== undefined)
      assert.match(await cgroupFile(container, 'io.max'), /rbps=1048576 wbps=2097152 riops=50 wiops=100/);
    assert.match(await ioWeight(container), /^default 49\d\d$/);
    await container.update({
      Memory: 80 * mebibyte,
      MemorySwap: 80 * mebibyte,
      MemoryReservation: 16 * mebibyte,
      CpuShares: 1024,
      CpuPeriod: 100_000,
      CpuQuota: 20_000,
      CpusetCpus: '0-1',
      PidsLimit: 60,
      BlkioWeight: 1000,
    });
    const updated: Record<string, string> = {
      'memory.max': `${80 * mebibyte}`,
      'memory.swap.max': '0',
      'memory.low': `${16 * mebibyte}`,
      'cpu.weight': '39',
      'cpu.max': '20000 100000',
      'cpuset.cpus': '0-1',
      'pids.max': '60',
    };
    for (const [file, value] of Object.entries(updated)) assert.equal(await cgroupFile(container, file), value, file);
    assert.match(await ioWeight(container), /^default 10000?$/);
    await container.remove({ force: true });
  });

  test('resources without a place on cgroup v2 are answered with warnings', needs.cgroupV2, async () => {
    const { client } = daemon();
    const body = {
      Image: 'busybox',
      HostConfig: { KernelMemory: 32 * mebibyte, MemorySwappiness: 5, OomKillDisable: true },
    };
    const { Id, Warnings } = await dial<{ Id: string; Warnings: string[] }>(client, '/containers/create', body);
    assert.deepEqual(Warnings, [
      'Your kernel does not support kernel memory limit capabilities or the cgroup is not mounted. Limitation discarded.',
      'Your kernel does not support memory swappiness capabilities or the cgroup is not mounted. Memory swappiness discarded.',
      'Your kernel does not support OomKillDisable. OomKillDisable discarded.',
    ]);
    const { HostConfig } = await client.getContainer(Id).inspect();
    assert.deepEqual([HostConfig.KernelMemory ?? 0, HostConfig.MemorySwappiness ?? null], [0, null]);
    await client.getContainer(Id).remove();
  });

  test(
    'only the devices that a container was given can be opened, and only as was allowed',
    needs.devices,
    async () => {
      const device = '/dev/loop-control';
      const attempt = (name: string, open: string) => `( : ${open} ${name} ) 2>/dev/null && echo yes || echo no`;
      const made = `mknod /tmp/made c 10 237; ${attempt('/tmp/made', '<')}; ${attempt('/tmp/made', '>>')}`;
      assert.equal(await outputOf(daemon().client, made), 'no\nno');
      const given = { Devices: [{ PathOnHost: device, PathInContainer: '/dev/given', CgroupPermissions: 'r' }] };
      const both = `${attempt('/dev/given', '<')}; ${attempt('/dev/given', '>>')}`;
      assert.equal(await outputOf(daemon().client, both, { HostConfig: given as never }), 'yes\nno');
      const ruled = { DeviceCgroupRules: ['c 10:* rwm'] };
      assert.equal(await outputOf(daemon().client, made, { HostConfig: ruled as never }), 'yes\nyes');
    },
  );

  test('statistics of cgroup v2 have the fields of the reference', needs.cgroupV2, async () => {
    const container = await startContainer(daemon().client, {
      HostConfig: { NetworkMode: 'none', Memory: 64 * mebibyte, PidsLimit: 50 },
    });
    const stats = (await container.stats({ stream: false })) as unknown as Record<string, Record<string, unknown>>;
    const { memory_stats: memory = {}, cpu_stats: cpu = {}, pids_stats: pids } = stats;
    assert.equal(memory.limit, 64 * mebibyte);
    assert.ok(Number(memory.usage) > 0);
    for (const name of ['anon', 'file', 'inactive_file']) assert.ok(name in (memory.stats as object), name);
    for (const name of ['max_usage', 'failcnt']) assert.ok(!(name in memory), `${name} is of version 1`);
    assert.ok(!('percpu_usage' in (cpu.cpu_usage as object)));
    assert.deepEqual(pids, { current: 1, limit: 50 });
    await container.remove({ force: true });
  });

  test('the host is described as it is', needs.cgroups, async () => {
    const info = (await daemon().client.info()) as Record<string, unknown>;
    assert.deepEqual(
      [info.CgroupVersion, info.KernelMemory, info.MemoryLimit, info.PidsLimit, info.OomKillDisable],
      [isUnified ? '2' : '1', false, true, true, !isUnified],
    );
  });
}
