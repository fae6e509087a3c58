import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeCgroups, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import Docker, { type ContainerCreateOptions, type HostConfig } from 'dockerode';

/** A configuration, what is asked inside the container, and what the answer must be. */
interface Row {
  readonly body?: ContainerCreateOptions;
  readonly host?: HostConfig;
  readonly ask: string;
  readonly answer: string | RegExp;
}

/** A limit, where the first version of control groups has it and where the second has. */
const limit = (one: string, two: string): string =>
  `cat /sys/fs/cgroup/${one} 2>/dev/null || cat /sys/fs/cgroup/${two}`;

const status = (field: string): string => `grep ^${field}: /proc/self/status | cut -f 2`;

const isUnified = (await readFile('/proc/mounts', 'utf8')).includes('cgroup2 /sys/fs/cgroup ');
const hostNamespace = (type: string): Promise<string> => readlink(`/proc/self/ns/${type}`);

const ownCgroup = `/gtf${process.pid.toString(36)}`;
const capabilities = BigInt(`0x${/CapEff:\s*(\w+)/.exec(await readFile('/proc/self/status', 'utf8'))?.[1]}`);
const hexadecimal = (set: bigint): string => set.toString(16).padStart(16, '0');
const everything = hexadecimal(capabilities);
const withoutSysAdmin = hexadecimal(capabilities & ~(1n << 21n));
/** A whole disk of this host, if it has one. */
const disk = await readdir('/sys/block').then(
  (names) => names.filter((name) => /^([vs]d|xvd|nvme)/.test(name)).map((name) => `/dev/${name}`)[0],
);

const rows: Readonly<Record<string, Row>> = {
  Init: {
    host: { Init: true },
    ask: 'tr "\\0" " " < /proc/1/cmdline | cut -c 1-24',
    answer: '/sbin/docker-init -- sh',
  },
  'Init reaps orphans': {
    host: { Init: true },
    // Reaped at once, but not within any time: the host may be busy.
    ask: '(sleep 0.1 & echo $! >/orphan); for i in $(seq 100); do sleep 0.2; [ -d /proc/$(cat /orphan) ] || break; done; echo $i',
    answer: /^[1-9]\d?$/,
  },
  Hostname: { body: { Hostname: 'named' }, ask: 'hostname; cat /etc/hostname', answer: 'named\nnamed' },
  Domainname: { body: { Domainname: 'example.org' }, ask: 'cat /proc/sys/kernel/domainname', answer: 'example.org' },
  User: { body: { User: '1000:1001' }, ask: 'id -u; id -g', answer: '1000\n1001' },
  'User by name': { body: { User: 'nobody' }, ask: 'id -u; echo $HOME', answer: /^65534\n\// },
  Tty: { body: { Tty: true }, ask: 'test -t 1 && echo $TERM', answer: 'xterm' },
  Env: { body: { Env: ['A=b c', 'EMPTY='] }, ask: 'echo "$A$EMPTY"; env | grep -c EMPTY=', answer: 'b c\n1' },
  Volumes: { body: { Volumes: { '/made': {} } }, ask: 'grep -c " /made " /proc/mounts', answer: '1' },
  WorkingDir: { body: { WorkingDir: '/made/here' }, ask: 'pwd', answer: '/made/here' },
  'Mark of a container': { body: {}, ask: 'stat -c "%A %s %u %g" /.dockerenv', answer: '-rwxr-xr-x 0 0 0' },
  NetworkDisabled: { body: { NetworkDisabled: true }, ask: 'ls /sys/class/net', answer: 'lo' },
  Binds: {
    host: { Binds: ['/usr:/host:ro', 'kept:/kept'] },
    ask: 'touch /host/x 2>&1 | grep -o "Read-only.*"; touch /kept/x && ls /kept',
    answer: 'Read-only file system\nx',
  },
  'Binds of a file': {
    host: { Binds: ['/etc/passwd:/run/secrets/one:ro'] },
    ask: 'grep -c ^root: /run/secrets/one; touch /run/secrets/one 2>&1 | grep -o "Read-only.*"',
    answer: '1\nRead-only file system',
  },
  Tmpfs: {
    host: { Tmpfs: { '/quick': 'size=1m,mode=700,exec' } },
    ask: 'stat -c %a /quick; grep " /quick " /proc/mounts | cut -d " " -f 4',
    answer: /^700\nrw,nosuid,nodev,.*size=1024k,mode=700/,
  },
  ReadonlyRootfs: {
    host: { ReadonlyRootfs: true },
    ask: 'touch /x 2>&1 | grep -o "Read-only.*"',
    answer: 'Read-only file system',
  },
  ShmSize: { host: { ShmSize: 2 ** 20 }, ask: 'grep " /dev/shm " /proc/mounts', answer: /size=1024k/ },
  Memory: {
    host: { Memory: 16 * 2 ** 20 },
    ask: limit('memory/memory.limit_in_bytes', 'memory.max'),
    answer: String(16 * 2 ** 20),
  },
  MemoryReservation: {
    host: { Memory: 16 * 2 ** 20, MemoryReservation: 8 * 2 ** 20 },
    ask: limit('memory/memory.soft_limit_in_bytes', 'memory.low'),
    answer: String(8 * 2 ** 20),
  },
  MemorySwap: {
    host: { Memory: 16 * 2 ** 20, MemorySwap: 24 * 2 ** 20 },
    ask: limit('memory/memory.memsw.limit_in_bytes', 'memory.swap.max'),
    answer: String((isUnified ? 8 : 24) * 2 ** 20),
  },
  'MemorySwap by itself': {
    host: { Memory: 16 * 2 ** 20 },
    ask: limit('memory/memory.memsw.limit_in_bytes', 'memory.swap.max'),
    answer: String((isUnified ? 16 : 32) * 2 ** 20),
  },
  ...(!isUnified && {
    MemorySwappiness: {
      host: { MemorySwappiness: 7 },
      ask: 'cat /sys/fs/cgroup/memory/memory.swappiness',
      answer: '7',
    },
    OomKillDisable: {
      host: { Memory: 16 * 2 ** 20, OomKillDisable: true },
      ask: 'grep oom_kill_disable /sys/fs/cgroup/memory/memory.oom_control',
      answer: 'oom_kill_disable 1',
    },
  }),
  ...(disk !== undefined && {
    'BlkioDeviceReadBps and the like': {
      host: {
        BlkioDeviceReadBps: [{ Path: disk, Rate: 2 ** 20 }],
        BlkioDeviceWriteBps: [{ Path: disk, Rate: 2 ** 21 }],
        BlkioDeviceReadIOps: [{ Path: disk, Rate: 100 }],
        BlkioDeviceWriteIOps: [{ Path: disk, Rate: 200 }],
      },
      ask: isUnified
        ? 'cat /sys/fs/cgroup/io.max'
        : 'cd /sys/fs/cgroup/blkio; for a in bps iops; do for b in read write; do ' +
          'cut -d " " -f 2 blkio.throttle."$b"_"$a"_device; done; done',
      answer: isUnified ? /rbps=1048576 wbps=2097152 riops=100 wiops=200/ : '1048576\n2097152\n100\n200',
    },
  }),
  'PidsLimit -1': { host: { PidsLimit: -1 }, ask: limit('pids/pids.max', 'pids.max'), answer: 'max' },
  CgroupParent: {
    host: { CgroupParent: `${ownCgroup}/below` },
    ask: 'cat /proc/self/cgroup',
    answer: new RegExp(`:${ownCgroup}/below/`),
  },
  CpuShares: {
    host: { CpuShares: 512 },
    ask: limit('cpu/cpu.shares', 'cpu.weight'),
    answer: isUnified ? '20' : '512',
  },
  CpuQuota: {
    host: { CpuPeriod: 50_000, CpuQuota: 25_000 },
    ask: limit('cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.cfs_period_us', 'cpu.max'),
    answer: /^25000\s50000$/,
  },
  NanoCpus: {
    host: { NanoCpus: 5e8 },
    ask: limit('cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.cfs_period_us', 'cpu.max'),
    answer: /^50000\s100000$/,
  },
  CpusetCpus: { host: { CpusetCpus: '0' }, ask: status('Cpus_allowed_list'), answer: '0' },
  CpusetMems: { host: { CpusetMems: '0' }, ask: status('Mems_allowed_list'), answer: '0' },
  PidsLimit: { host: { PidsLimit: 20 }, ask: limit('pids/pids.max', 'pids.max'), answer: '20' },
  OomScoreAdj: { host: { OomScoreAdj: 321 }, ask: 'cat /proc/self/oom_score_adj', answer: '321' },
  Ulimits: {
    host: { Ulimits: [{ Name: 'nofile', Soft: 100, Hard: 200 }] },
    ask: 'ulimit -Sn; ulimit -Hn',
    answer: '100\n200',
  },
  CapAdd: {
    host: { CapDrop: ['ALL'], CapAdd: ['CHOWN', 'CAP_NET_ADMIN'] },
    ask: status('CapEff'),
    answer: '0000000000001001',
  },
  CapDrop: { host: { CapDrop: ['MKNOD'] }, ask: status('CapEff'), answer: '00000000a00425fb' },
  GroupAdd: { host: { GroupAdd: ['777', '888'] }, ask: 'id -G', answer: /\b777 888\b/ },
  'SecurityOpt seccomp': { host: { SecurityOpt: ['seccomp=unconfined'] }, ask: status('Seccomp'), answer: '0' },
  'SecurityOpt with a profile': {
    host: {
      SecurityOpt: [
        'seccomp={"defaultAction":"SCMP_ACT_ALLOW","syscalls":[{"names":["mkdir","mkdirat"],"action":"SCMP_ACT_ERRNO"}]}',
      ],
    },
    ask: 'mkdir /x 2>&1 | grep -o "not permitted"',
    answer: 'not permitted',
  },
  'SecurityOpt no-new-privileges': {
    host: { SecurityOpt: ['no-new-privileges'] },
    ask: status('NoNewPrivs'),
    answer: '1',
  },
  'the default filter': { ask: status('Seccomp'), answer: '2' },
  'masked and read-only paths': {
    ask: 'wc -c < /proc/keys; ls /sys/firmware | wc -l; (echo 1 > /proc/sys/kernel/panic) 2>&1 | grep -o "Read-only.*"',
    answer: '0\n0\nRead-only file system',
  },
  Sysctls: {
    host: { Sysctls: { 'net.ipv4.ip_unprivileged_port_start': '77' } },
    ask: 'cat /proc/sys/net/ipv4/ip_unprivileged_port_start',
    answer: '77',
  },
  Devices: {
    host: { Devices: [{ PathOnHost: '/dev/null', PathInContainer: '/dev/mine', CgroupPermissions: 'rw' }] },
    ask: 'echo lost > /dev/mine && stat -c %F /dev/mine',
    answer: 'character special file',
  },
  'Dns, DnsSearch, DnsOptions': {
    host: { Dns: ['192.0.2.1'], DnsSearch: ['example.org'], DnsOptions: ['timeout:1'], NetworkMode: 'bridge' },
    ask: 'cat /etc/resolv.conf',
    answer: /search example\.org\nnameserver 192\.0\.2\.1\noptions timeout:1/,
  },
  ExtraHosts: {
    host: { ExtraHosts: ['other:192.0.2.7'], NetworkMode: 'bridge' },
    ask: 'grep other /etc/hosts',
    answer: /^192\.0\.2\.7\s+other$/,
  },
  MacAddress: {
    body: { MacAddress: '02:42:ac:11:00:99' } as ContainerCreateOptions,
    host: { NetworkMode: 'bridge' },
    ask: 'cat /sys/class/net/eth0/address',
    answer: '02:42:ac:11:00:99',
  },
  NetworkMode: { host: { NetworkMode: 'host' }, ask: 'readlink /proc/self/ns/net', answer: await hostNamespace('net') },
  PidMode: { host: { PidMode: 'host' }, ask: 'readlink /proc/self/ns/pid', answer: await hostNamespace('pid') },
  IpcMode: { host: { IpcMode: 'host' }, ask: 'readlink /proc/self/ns/ipc', answer: await hostNamespace('ipc') },
  'IpcMode none': { host: { IpcMode: 'none' }, ask: 'ls -d /dev/shm 2>&1 | grep -c "No such"', answer: '1' },
  'CapAdd ALL': {
    host: { CapAdd: ['ALL'], CapDrop: ['SYS_ADMIN'] },
    ask: `${status('CapEff')}; ${status('CapBnd')}`,
    answer: new RegExp(`^${withoutSysAdmin}\n${withoutSysAdmin}$`),
  },
  Privileged: {
    host: { Privileged: true },
    ask: `${status('Seccomp')}; ${status('CapEff')}`,
    answer: `0\n${everything}`,
  },
  UTSMode: { host: { UTSMode: 'host' }, ask: 'readlink /proc/self/ns/uts', answer: await hostNamespace('uts') },
};

for (const version of ['1.24', '1.51']) {
  test.serial(`every field of a configuration has its effect inside the container, at ${version}`, async (t) => {
    // After the daemon's own teardown, by when nothing is in it.
    t.teardown(() => removeCgroups(`${ownCgroup}/below`).then(() => removeCgroups(ownCgroup)));
    const { socket } = await startDaemon(t);
    const client = new Docker({ socketPath: socket, version: `v${version}` });
    const ask = async ([field, { body, host, ask, answer }]: readonly [string, Row]): Promise<void> => {
      const container = await client.createContainer({
        Image: 'busybox',
        Cmd: ['sh', '-c', ask],
        ...body,
        HostConfig: { NetworkMode: 'none', ...host },
      });
      await container.start();
      await container.wait();
      const log = (await container.logs({ stdout: true, stderr: true })) as unknown as Buffer;
      const said = (body?.Tty ? String(log) : textOf(log)).replaceAll('\r', '').trim();
      if (typeof answer === 'string') t.is(said, answer, field);
      else t.regex(said, answer, field);
    };
    const waiting = Object.entries(rows);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await ask(row);
      }),
    );
  });
}

test('a value out of range is refused by name and value, and leaves nothing', async (t) => {
  const { client } = await startDaemon(t);
  const refusals: readonly [HostConfig, RegExp][] = [
    [{ Memory: 1024 }, /[Mm]emory/],
    [{ CpuShares: -1 }, /CpuShares: -1 .*\[0, 262144\]/],
    [{ GroupAdd: ['-1'] }, /GroupAdd: -1 .*\[0, 2147483647\]/],
    [{ MemorySwappiness: 101 }, /101.*0-100/],
    [{ CpusetCpus: '999' }, /999/],
    [{ BlkioWeight: 5 }, /10.*1000/],
    [{ OomScoreAdj: 2000 }, /2000.*-1000.*1000/],
    [{ ShmSize: -1 }, /SHM size|ShmSize/],
    [{ CpuPeriod: 1 }, /CPU cfs period/],
    [{ PidMode: 'nonsense' }, /nonsense/],
    [{ Ulimits: [{ Name: 'nosuch', Soft: 1, Hard: 1 }] }, /nosuch/],
    [{ CapAdd: ['NOSUCH'] }, /NOSUCH/],
    [{ RestartPolicy: { Name: 'sometimes' } }, /sometimes/],
  ];
  for (const [HostConfig, message] of refusals) {
    const error = await t.throwsAsync(client.createContainer({ Image: 'busybox', Cmd: ['true'], HostConfig }), {
      message,
    });
    t.is((error as unknown as { statusCode: number }).statusCode, 400, JSON.stringify(HostConfig));
  }
  t.deepEqual(await client.listContainers({ all: true }), []);
});

/** What is in the frames of a log. */
function textOf(log: Buffer): string {
  let text = '';
  for (let at = 0; at + 8 <= log.length; ) {
    const length = log.readUInt32BE(at + 4);
    text += log.toString('utf8', at + 8, at + 8 + length);
    at += 8 + length;
  }
  return text;
}

test('a device that a vendor describes is in the container, and one that no file describes fails the start', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-cdi-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const edits = {
    env: ['VENDOR=yes'],
    deviceNodes: [{ path: '/dev/vendor0', hostPath: '/dev/zero' }],
    mounts: [{ hostPath: directory, containerPath: '/vendor', options: ['ro', 'bind'] }],
    hooks: [{ hookName: 'createContainer', path: '/bin/sh', args: ['sh', '-c', `echo ran > ${directory}/hook`] }],
  };
  const devices = [{ name: 'zero', containerEdits: edits }];
  const spec = { cdiVersion: '0.6.0', kind: 'vendor.com/dev', devices };
  await writeFile(path.join(directory, 'vendor.json'), JSON.stringify(spec));
  const { socket } = await startDaemon(t, { plugins: { containers: { cdiSpecDirectories: [directory] } } });
  const client = new Docker({ socketPath: socket, version: 'v1.51' });
  const start = async (...DeviceIDs: string[]) => {
    const DeviceRequests = [{ Driver: 'cdi', DeviceIDs }];
    const Cmd = ['sh', '-c', 'echo $VENDOR; head -c 4 /dev/vendor0 | wc -c; cat /vendor/hook'];
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd,
      Tty: true,
      HostConfig: { DeviceRequests } as HostConfig,
    });
    await container.start();
    await container.wait();
    return (await container.logs({ stdout: true })).toString('latin1').replaceAll('\r', '');
  };
  t.is(await start('vendor.com/dev=zero'), 'yes\n4\nran\n');
  await t.throwsAsync(start('vendor.com/dev=one'), { message: /unresolvable CDI devices vendor\.com\/dev=one/ });
  const { CDISpecDirs, DiscoveredDevices } = await client.info();
  t.deepEqual([CDISpecDirs, DiscoveredDevices], [[directory], [{ Source: 'cdi', ID: 'vendor.com/dev=zero' }]]);
});
