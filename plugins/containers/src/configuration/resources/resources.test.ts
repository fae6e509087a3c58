import { readdir, stat } from 'node:fs/promises';
import { readDevice } from '@gantry/lib-oci';
import test from 'ava';
import { readHostFacts } from '../../host/host-facts.js';
import { resourcesOf } from '../../oci/container-resources.js';
import { hostWith, MiB } from '../../testing/configuration-fixture.js';

const { limits } = hostWith();

test('no wish is no limit', async (t) => {
  t.deepEqual(await resourcesOf({}, limits), {});
});

test('every limit is there in the runtime’s words', async (t) => {
  const wish = {
    Memory: 64 * MiB,
    MemoryReservation: 32 * MiB,
    MemorySwap: -1,
    MemorySwappiness: 0,
    OomKillDisable: true,
    CpuShares: 512,
    CpuPeriod: 50_000,
    CpuQuota: 25_000,
    CpusetCpus: '0',
    CpusetMems: '0',
    PidsLimit: 20,
    BlkioWeight: 300,
  };
  t.deepEqual(await resourcesOf(wish, limits), {
    memory: { limit: 64 * MiB, reservation: 32 * MiB, swap: -1, swappiness: 0, disableOOMKiller: true },
    cpu: { shares: 512, period: 50_000, quota: 25_000, cpus: '0', mems: '0' },
    pids: { limit: 20 },
    blockIO: { weight: 300 },
  });
});

test('fractions of CPUs are a quota', async (t) => {
  t.deepEqual(await resourcesOf({ CpuQuota: -1 }, limits), {});
  t.deepEqual(await resourcesOf({ NanoCpus: 1.5e9 }, limits), { cpu: { period: 100_000, quota: 150_000 } });
});

test('swap is not mentioned to a kernel that does not account it', async (t) => {
  const wish = { Memory: 64 * MiB, MemorySwap: -1 };
  t.deepEqual(await resourcesOf(wish, hostWith({ swap: false }).limits), { memory: { limit: 64 * MiB } });
});

test('block devices are known to the kernel by their numbers', async (t) => {
  const names = await readdir('/dev');
  for (const name of names) {
    const Path = `/dev/${name}`;
    const status = await stat(Path).catch(() => undefined);
    if (!status?.isBlockDevice()) continue;
    const { major, minor } = await readDevice(Path);
    const numbers = { major, minor };
    const { blockIO } = await resourcesOf(
      { BlkioDeviceReadBps: [{ Path, Rate: 5 }], BlkioWeightDevice: [{ Path, Weight: 300 }] },
      limits,
    );
    t.deepEqual(blockIO, {
      throttleReadBpsDevice: [{ ...numbers, rate: 5 }],
      weightDevice: [{ ...numbers, weight: 300 }],
    });
    return;
  }
  t.pass('this host has no block device');
});

test('a device that is not there is named', async (t) => {
  const absent = resourcesOf({ BlkioDeviceWriteIOps: [{ Path: '/dev/nosuch', Rate: 5 }] }, limits);
  await t.throwsAsync(absent, { message: /^BlkioDeviceWriteIOps: no such device "\/dev\/nosuch": / });
  const wrong = resourcesOf({ BlkioDeviceReadBps: [{ Path: '/dev/null', Rate: 5 }] }, limits);
  await t.throwsAsync(wrong, { message: /it is not a block device$/ });
});

test('this host can be read', async (t) => {
  const facts = await readHostFacts();
  t.true(facts.cpus.size > 0);
  t.true(facts.memoryNodes.size > 0);
  t.true(facts.limits.memory);
  t.true(facts.limits.pids);
  t.true((facts.ulimits.get('nofile') ?? 0) > 0);
  t.true(facts.lowestOomScore <= 0);
});
