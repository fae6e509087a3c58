import test from 'ava';
import type { HostConfig } from '../schema.js';
import { hostWith, MiB, recordWith, refusalOf } from '../testing/configuration-fixture.js';
import { decodeUpdateBody } from './decode-bodies.js';
import { prepareUpdate } from './prepare-update.js';

const update = (hostConfig: HostConfig, body: object) =>
  prepareUpdate(recordWith({ hostConfig }), decodeUpdateBody(body), { host: hostWith() });

for (const [before, body, words] of [
  [{}, { RestartPolicy: { Name: 'nosuch' } }, "invalid restart policy 'nosuch'"],
  [
    { AutoRemove: true },
    { RestartPolicy: { Name: 'always' } },
    'Restart policy cannot be updated because AutoRemove is enabled for the container',
  ],
  [{}, { Memory: 5 }, 'Minimum memory limit allowed is 6MB'],
  [
    { Memory: 32 * MiB, MemorySwap: 64 * MiB },
    { Memory: 128 * MiB },
    'Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time',
  ],
  [
    { CpuPeriod: 5000 },
    { NanoCpus: 1e9 },
    'Conflicting options: Nano CPUs cannot be updated as CPU Period has already been set',
  ],
  [
    { NanoCpus: 1e9 },
    { CpuQuota: 5000 },
    'Conflicting options: CPU Quota cannot be updated as NanoCPUs has already been set',
  ],
  [{}, { CpusetCpus: '9' }, 'Requested CPUs are not available - requested 9, available: 0-1'],
  [{}, { PidsLimit: -2 }, 'PidsLimit: -2 is out of range [-1, 9007199254740991]'],
] as const) {
  test(`refused: ${JSON.stringify(body)} after ${JSON.stringify(before)}`, (t) => {
    t.is(
      refusalOf(() => update(before, body)),
      words,
    );
  });
}

for (const [before, body, after, resources] of [
  [{}, { CpuShares: 700 }, { CpuShares: 700 }, { cpu: { shares: 700 } }],
  [{}, { CpuShares: 1 }, { CpuShares: 1 }, { cpu: { shares: 2 } }],
  [
    { CpuPeriod: 40_000 },
    { CpuQuota: 20_000 },
    { CpuPeriod: 40_000, CpuQuota: 20_000 },
    { cpu: { period: 40_000, quota: 20_000 } },
  ],
  [
    { Memory: 32 * MiB, MemorySwap: 64 * MiB, CpuShares: 5 },
    { Memory: 48 * MiB },
    { Memory: 48 * MiB, MemorySwap: 64 * MiB, CpuShares: 5 },
    { memory: { limit: 48 * MiB, swap: 64 * MiB } },
  ],
  [{}, { NanoCpus: 5e8 }, { NanoCpus: 5e8 }, { cpu: { period: 100_000, quota: 50_000 } }],
  [{ PidsLimit: 5 }, { PidsLimit: 7 }, { PidsLimit: 7 }, { pids: { limit: 7 } }],
  [{ PidsLimit: 5 }, { PidsLimit: -1 }, {}, { pids: { limit: -1 } }],
  [{ PidsLimit: 5 }, { PidsLimit: 0 }, {}, { pids: { limit: -1 } }],
  [{ CpuShares: 5 }, { CpuShares: 0, CpusetCpus: '', Memory: 0 }, { CpuShares: 5 }, undefined],
  [
    {},
    { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 4 } },
    { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 4 } },
    undefined,
  ],
  [{ RestartPolicy: { Name: 'always' } }, { RestartPolicy: {} }, { RestartPolicy: { Name: 'always' } }, undefined],
] as const) {
  test(`${JSON.stringify(body)} after ${JSON.stringify(before)}`, (t) => {
    const prepared = update(before, body);
    t.deepEqual(prepared.hostConfig, after);
    t.deepEqual(prepared.resources, resources);
  });
}

test('kernel memory is discarded with a word', (t) => {
  const { resources, warnings } = update({}, { KernelMemory: 64 * MiB });
  t.is(resources, undefined);
  t.regex(warnings[0] ?? '', /kernel memory limit .* discarded/);
});
