import test from 'ava';
import { formatCpuList, parseCpuList } from '../host/cpu-list.js';
import { largestLimits } from '../host/host-facts.js';
import { bareHost, hostWith, prepareHost, refusalOf } from '../testing/configuration-fixture.js';

const periodWords = 'CPU cfs period can not be less than 1ms (i.e. 1000) or larger than 1s (i.e. 1000000)';
const throttle = (Path: string, Rate = 1) => ({ BlkioDeviceReadBps: [{ Path, Rate }] });

for (const [wish, words] of [
  [{ CpuShares: -1 }, 'CpuShares: -1 is out of range [0, 262144]'],
  [{ CpuPeriod: 10 }, periodWords],
  [{ CpuPeriod: 1_000_001 }, periodWords],
  [{ CpuQuota: 10 }, 'CPU cfs quota can not be less than 1ms (i.e. 1000)'],
  [
    { CpuRealtimeRuntime: 5 },
    'CpuRealtimeRuntime: 5 cannot be set: real-time scheduling of containers is not supported',
  ],
  [{ NanoCpus: 3e9 }, 'Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available'],
  [{ NanoCpus: 1e9, CpuPeriod: 5000 }, 'Conflicting options: Nano CPUs and CPU Period cannot both be set'],
  [{ NanoCpus: 1e9, CpuQuota: 5000 }, 'Conflicting options: Nano CPUs and CPU Quota cannot both be set'],
  [{ CpusetCpus: '9' }, 'Requested CPUs are not available - requested 9, available: 0-1'],
  [{ CpusetCpus: '0-4095' }, 'Requested CPUs are not available - requested 0-4095, available: 0-1'],
  [{ CpusetCpus: 'x' }, 'Invalid value x for cpuset cpus'],
  [{ CpusetMems: '99' }, 'Requested memory nodes are not available - requested 99, available: 0'],
  [{ CpusetMems: '1-0' }, 'Invalid value 1-0 for cpuset mems'],
  [{ BlkioWeight: 5 }, 'BlkioWeight: 5: Range of blkio weight is from 10 to 1000'],
  [
    { BlkioWeightDevice: [{ Path: '/dev/x', Weight: 5 }] },
    'BlkioWeightDevice: Weight of /dev/x: 5 is out of range [10, 1000]',
  ],
  [throttle('x'), 'BlkioDeviceReadBps: bad device path "x", it must be absolute'],
  [throttle('/dev/x', -1), 'BlkioDeviceReadBps: Rate of /dev/x: -1 is out of range [0, 9007199254740991]'],
  [{ PidsLimit: -2 }, 'PidsLimit: -2 is out of range [-1, 9007199254740991]'],
  [{ Ulimits: [{ Name: 'nosuch', Soft: 1, Hard: 1 }] }, 'Ulimits: invalid ulimit type: nosuch'],
  [
    { Ulimits: [{ Name: 'nofile', Soft: 20, Hard: 10 }] },
    'Ulimits: nofile: ulimit soft limit must be less than or equal to hard limit: 20 > 10',
  ],
  [
    { Ulimits: [{ Name: 'core', Soft: -1, Hard: 10 }] },
    'Ulimits: core: ulimit soft limit must be less than or equal to hard limit: unlimited > 10',
  ],
  [
    { Ulimits: [{ Name: 'nofile', Soft: 20, Hard: 1001 }] },
    'Ulimits: nofile: hard limit 1001 is above 1000, the most this host allows',
  ],
  [
    { Ulimits: [{ Name: 'nofile', Soft: 20, Hard: -1 }] },
    'Ulimits: nofile: hard limit unlimited is above 1000, the most this host allows',
  ],
  [{ Ulimits: [{ Name: 'core', Soft: -2 }] }, 'Ulimits: soft limit of core: -2 is out of range [-1, 9007199254740991]'],
  [{ CpuShares: 262_145 }, 'CpuShares: 262145 is out of range [0, 262144]'],
  [{ KernelMemory: 5 }, 'Minimum kernel memory limit allowed is 6MB'],
  [{ GroupAdd: ['audio', '4294967295'] }, 'GroupAdd: 4294967295 is out of range [0, 2147483647]'],
  [{ RestartPolicy: { Name: 'foo' } }, "invalid restart policy 'foo'"],
  [
    { RestartPolicy: { Name: 'always', MaximumRetryCount: 3 } },
    "maximum retry count cannot be used with restart policy 'always'",
  ],
  [{ RestartPolicy: { Name: 'on-failure', MaximumRetryCount: -3 } }, 'maximum retry count cannot be negative: -3'],
  [{ AutoRemove: true, RestartPolicy: { Name: 'always' } }, "can't create 'AutoRemove' container with restart policy"],
  [{ Isolation: 'hyperv' }, `Isolation: invalid isolation "hyperv": linux only supports 'default'`],
  [
    { IOMaximumIOps: 5 },
    'IOMaximumIOps: Invalid QoS settings: linux does not support Maximum IO Bandwidth or Maximum IO IOps',
  ],
  [{ Runtime: 'nosuch' }, 'Unknown runtime specified nosuch'],
  [{ Annotations: { '': 'x' } }, 'Annotations: "x" has the empty string as its key'],
  [{ ConsoleSize: [1] }, 'ConsoleSize: [1] is not a height and a width of 0 to 65535 characters'],
  [{ LogConfig: { Type: 'nosuch' } }, "logger: no log driver named 'nosuch' is registered"],
  [{ LogConfig: { Type: 'journald' } }, "logger: no log driver named 'journald' is registered: there is no journal"],
  [{ LogConfig: { Type: 'etwlogs' } }, "logger: log driver 'etwlogs' is Windows-only: this engine runs on Linux"],
  [{ LogConfig: { Type: 'json-file', Config: { nosuch: '1' } } }, "unknown log opt 'nosuch' for json-file log driver"],
  [{ LogConfig: { Config: { nosuch: '1' } } }, "unknown log opt 'nosuch' for json-file log driver"],
] as const) {
  test(`refused: ${JSON.stringify(wish)}`, (t) => {
    t.is(
      refusalOf(() => prepareHost(wish)),
      words,
    );
  });
}

for (const wish of [
  { CpuPeriod: 50_000, CpuQuota: 25_000, CpuShares: 512 },
  { CpuShares: 1 },
  { CpuQuota: -1 },
  { NanoCpus: 1.5e9 },
  { CpusetCpus: '0-0', CpusetMems: '0' },
  { BlkioWeight: 300, BlkioWeightDevice: [{ Path: '/dev/x', Weight: 0 }] },
  throttle('/dev/x', 1024),
  { PidsLimit: 20 },
  { Ulimits: [{ Name: 'nofile', Soft: 64, Hard: 128 }] },
  { Ulimits: [{ Name: 'core', Soft: -1, Hard: -1 }] },
  { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } },
  { RestartPolicy: { Name: 'unless-stopped' } },
  { RestartPolicy: { Name: 'no' }, AutoRemove: true },
  { Isolation: 'default' },
  { LogConfig: { Type: 'json-file', Config: { 'max-size': '4k' } } },
  { Runtime: 'runc', ConsoleSize: [24, 80] },
] as const) {
  test(`kept: ${JSON.stringify(wish)}`, (t) => {
    const { hostConfig, warnings } = prepareHost(wish);
    t.like(hostConfig, wish);
    t.deepEqual(warnings, []);
  });
}

test('no limit of processes is no field', (t) => {
  for (const PidsLimit of [-1, 0]) t.false('PidsLimit' in prepareHost({ PidsLimit }).hostConfig);
});

test('the log driver is the default one unless it is said', (t) => {
  t.deepEqual(prepareHost({}).hostConfig.LogConfig, { Type: 'json-file', Config: {} });
  t.deepEqual(prepareHost({ LogConfig: { Type: '' } }).hostConfig.LogConfig, { Type: 'json-file', Config: {} });
});

test('limits that the host does not have are left out, each with a warning', (t) => {
  const wish = {
    CpuShares: 5,
    CpuQuota: 5000,
    CpusetCpus: '0',
    PidsLimit: 5,
    BlkioWeight: 300,
    BlkioWeightDevice: [{ Path: '/dev/x', Weight: 300 }],
    ...throttle('/dev/x'),
  };
  const { hostConfig, warnings } = prepareHost(wish, { host: bareHost });
  for (const field of Object.keys(wish)) t.false(field in hostConfig, field);
  t.is(warnings.length, Object.keys(wish).length);
});

test('fields of other systems and later versions are named in warnings', (t) => {
  const { hostConfig, warnings } = prepareHost({ CpuPercent: 5, CpuCount: 1 });
  for (const [index, field] of ['CpuPercent', 'CpuCount'].entries()) {
    t.false(field in hostConfig);
    t.true(warnings[index]?.startsWith(field));
  }
});

test('an init program is refused where it is missing, and has no place in a shared PID namespace', (t) => {
  t.deepEqual(prepareHost({ Init: true }).warnings, []);
  t.regex(
    refusalOf(() => prepareHost({ Init: true }, { initPath: '/nosuch/init' })),
    /^Init: \/nosuch\/init does not exist on this host; .*plugins\.containers\.initPath/,
  );
  const shared = prepareHost({ Init: true, PidMode: 'host' }, { initPath: '/nosuch/init' });
  t.regex(shared.warnings.join(), /^Init: with PidMode "host" /);
});

test('fractions of CPUs need a host that can give them', (t) => {
  t.regex(
    refusalOf(() => prepareHost({ NanoCpus: 1e9 }, { host: bareHost })),
    /CFS/,
  );
});

test('a host that may raise its limits takes any but the kernel’s bound', (t) => {
  const ulimits = new Map([['nofile', 1_048_576]]);
  const wish = { Ulimits: [{ Name: 'nproc', Soft: -1, Hard: -1 }] };
  t.like(prepareHost(wish, { host: hostWith({}, { ulimits }) }).hostConfig, wish);
});

test('lists of CPUs are read and written', (t) => {
  for (const text of ['0', '0-3', '0-1,4', '7,9-10']) t.is(formatCpuList(parseCpuList(text) ?? new Set()), text);
  for (const text of ['', 'a', '1-', '-1', '3-1', '0,,1', '99999', '0-9999999'])
    t.is(parseCpuList(text), undefined, text);
});

test('the host’s own limits bound those of containers', (t) => {
  const text = [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max open files            1024                 20000                files     ',
    'Max core file size        0                    unlimited            bytes     ',
    'Max nice priority         0                    0                    ',
  ].join('\n');
  const limits = largestLimits(text, 1_048_576);
  t.is(limits.get('nofile'), 20_000);
  t.is(limits.get('nice'), 0);
  t.is(limits.get('core'), undefined);
  t.is(largestLimits('', 1_048_576).get('nofile'), 1_048_576);
  t.is(largestLimits(text, 5000).get('nofile'), 5000);
});
