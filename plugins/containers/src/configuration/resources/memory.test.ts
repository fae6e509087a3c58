import test from 'ava';
import { bareHost, hostWith, MiB, prepareHost, refusalOf } from '../../testing/configuration-fixture.js';

const swapWords = 'Minimum memoryswap limit should be larger than memory limit, see usage';

for (const [wish, words] of [
  [{ Memory: 1024 }, 'Minimum memory limit allowed is 6MB'],
  [{ Memory: -1 }, 'Minimum memory limit allowed is 6MB'],
  [{ Memory: 64 * MiB, MemorySwap: 32 * MiB }, swapWords],
  [{ MemorySwap: 64 * MiB }, 'You should always set the Memory limit when using Memoryswap limit, see usage'],
  [{ Memory: 64 * MiB, MemorySwap: -2 }, 'MemorySwap: -2 is out of range [-1, 9007199254740991]'],
  [{ MemorySwappiness: 101 }, 'Invalid value: 101, valid memory swappiness range is 0-100'],
  [{ MemorySwappiness: -2 }, 'Invalid value: -2, valid memory swappiness range is 0-100'],
  [{ MemoryReservation: 1024 }, 'Minimum memory reservation allowed is 6MB'],
  [
    { Memory: 32 * MiB, MemoryReservation: 64 * MiB },
    'Minimum memory limit can not be less than memory reservation limit, see usage',
  ],
  [{ ShmSize: -1 }, 'ShmSize: -1: SHM size can not be less than 0'],
  [{ OomScoreAdj: 1001 }, 'Invalid value 1001, range for oom score adj is [-1000, 1000]'],
  [{ OomScoreAdj: -5 }, 'OomScoreAdj: -5 is below 0, which takes CAP_SYS_RESOURCE; the engine does not have it here'],
] as const) {
  test(`refused: ${JSON.stringify(wish)}`, (t) => {
    t.is(
      refusalOf(() => prepareHost(wish)),
      words,
    );
  });
}

test('swap is twice the memory unless it is said', (t) => {
  t.is(prepareHost({ Memory: 64 * MiB }).hostConfig.MemorySwap, 128 * MiB);
  t.is(prepareHost({ Memory: 64 * MiB, MemorySwap: -1 }).hostConfig.MemorySwap, -1);
  t.is(prepareHost({}).hostConfig.MemorySwap, undefined);
});

test('shared memory is 64 MB unless it is said', (t) => {
  t.is(prepareHost({}).hostConfig.ShmSize, 64 * MiB);
  t.is(prepareHost({ ShmSize: 0 }).hostConfig.ShmSize, 64 * MiB);
  t.is(prepareHost({ ShmSize: MiB }).hostConfig.ShmSize, MiB);
});

test('a swappiness of -1 is none', (t) => {
  t.false('MemorySwappiness' in prepareHost({ MemorySwappiness: -1 }).hostConfig);
  t.is(prepareHost({ MemorySwappiness: 0 }).hostConfig.MemorySwappiness, 0);
});

test('negative scores pass on a host that can set them', (t) => {
  t.is(prepareHost({ OomScoreAdj: -5 }, { host: hostWith({}, { lowestOomScore: -1000 }) }).hostConfig.OomScoreAdj, -5);
});

test('what the host cannot limit is left out and said', (t) => {
  const wish = {
    Memory: 64 * MiB,
    MemoryReservation: 32 * MiB,
    MemorySwappiness: 5,
    OomKillDisable: true,
    KernelMemory: 64 * MiB,
  };
  const { hostConfig, warnings } = prepareHost(wish, { host: bareHost });
  for (const field of [...Object.keys(wish), 'MemorySwap']) t.false(field in hostConfig, field);
  t.is(warnings.length, 5);
  for (const word of ['memory limit', 'swappiness', 'soft limit', 'OomKillDisable', 'kernel memory']) {
    t.true(
      warnings.some((warning) => warning.includes(word)),
      word,
    );
  }
});

test('a host without swap accounting limits memory alone', (t) => {
  const { hostConfig, warnings } = prepareHost({ Memory: 64 * MiB }, { host: hostWith({ swap: false }) });
  t.is(hostConfig.Memory, 64 * MiB);
  t.is(hostConfig.MemorySwap, -1);
  t.regex(warnings[0] ?? '', /Memory limited without swap/);
});

test('kernel memory is not limited by any kernel any more', (t) => {
  t.deepEqual(prepareHost({ KernelMemory: 64 * MiB }).warnings, [
    'Your kernel does not support kernel memory limit capabilities or the cgroup is not mounted. Limitation discarded.',
  ]);
});

test('an endless wait instead of a kill is warned about', (t) => {
  t.regex(prepareHost({ OomKillDisable: true }).warnings[0] ?? '', /OOM killer is disabled/);
  t.deepEqual(prepareHost({ OomKillDisable: true, Memory: 64 * MiB }).warnings, []);
});
