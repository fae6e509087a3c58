import test from 'ava';
import type { ContainerRecord, MountPoint } from '../record.js';
import { endpoint, live, lookupOf, recordWith, running, wireWith } from '../testing/wire-fixture.js';
import type { LiveFacts } from './live-facts.js';

/** What a client reads of an answer. */
const read = (answer: object) => JSON.parse(JSON.stringify(answer));

const inspect = (record: ContainerRecord, facts: Partial<LiveFacts> = {}, others: readonly ContainerRecord[] = []) =>
  read(wireWith(lookupOf(record, ...others)).toInspect(record, live(facts)));

const published = endpoint({
  ports: [
    { protocol: 'tcp', containerPort: 80, hostIp: '0.0.0.0', hostPort: 8080 },
    { protocol: 'tcp', containerPort: 80, hostIp: '::', hostPort: 8080 },
  ],
});

test('every field of the record is there', (t) => {
  t.deepEqual(Object.keys(inspect(recordWith())).sort(), [
    'AppArmorProfile',
    'Args',
    'Config',
    'Created',
    'Driver',
    'ExecIDs',
    'GraphDriver',
    'HostConfig',
    'HostnamePath',
    'HostsPath',
    'Id',
    'Image',
    'LogPath',
    'MountLabel',
    'Mounts',
    'Name',
    'NetworkSettings',
    'Path',
    'Platform',
    'ProcessLabel',
    'ResolvConfPath',
    'RestartCount',
    'State',
  ]);
});

test('sizes are there when they were asked for', (t) => {
  const { SizeRw, SizeRootFs } = inspect(recordWith(), { sizes: { writable: 5, rootfs: 50 } });
  t.deepEqual([SizeRw, SizeRootFs], [5, 50]);
});

test('paths are empty until the first start', (t) => {
  const before = inspect(recordWith());
  const after = inspect(recordWith({ everStarted: true }));
  for (const [field, file] of [
    ['LogPath', '/root/containers/a/a-json.log'],
    ['HostsPath', `/root/containers/${'a'.repeat(64)}/hosts`],
    ['HostnamePath', `/root/containers/${'a'.repeat(64)}/hostname`],
    ['ResolvConfPath', `/root/containers/${'a'.repeat(64)}/resolv.conf`],
  ] as const) {
    t.is(before[field], '');
    t.is(after[field], file);
  }
});

test('a container on another one’s network shows that one’s files', (t) => {
  const owner = recordWith({ id: 'b'.repeat(64), name: 'owner' });
  const hostConfig = { NetworkMode: `container:${owner.id}` };
  const record = recordWith({ everStarted: true, hostConfig });
  t.is(inspect(record, {}, [owner]).HostsPath, `/root/containers/${owner.id}/hosts`);
  t.is(inspect(record).HostsPath, '');
});

test('containers that join each other in a circle can be shown', (t) => {
  const record = recordWith({ everStarted: true, hostConfig: { NetworkMode: `container:${'a'.repeat(64)}` } });
  t.is(inspect(record).HostsPath, `/root/containers/${'a'.repeat(64)}/hosts`);
});

test('exec instances are a list or null', (t) => {
  t.is(inspect(recordWith()).ExecIDs, null);
  t.deepEqual(inspect(recordWith(), { execIds: ['x'] }).ExecIDs, ['x']);
});

test('what is not set has the value clients expect', (t) => {
  const { Config, HostConfig } = inspect(recordWith({ config: {} }));
  t.like(Config, {
    Env: null,
    Cmd: null,
    Entrypoint: null,
    Volumes: null,
    OnBuild: null,
    Labels: {},
    Image: 'busybox',
  });
  t.false('StopSignal' in Config);
  t.like(HostConfig, {
    Binds: null,
    Links: null,
    Dns: null,
    SecurityOpt: null,
    MemorySwappiness: null,
    PidsLimit: null,
    PortBindings: {},
    RestartPolicy: { Name: '', MaximumRetryCount: 0 },
    OomKillDisable: false,
    ShmSize: 67108864,
    ContainerIDFile: '',
  });
  t.true(HostConfig.MaskedPaths.includes('/proc/kcore'));
  t.true(HostConfig.ReadonlyPaths.includes('/proc/sys'));
});

test('a requested address and devices are shown before the first start, with all their fields', (t) => {
  const shown = inspect(
    recordWith({
      networks: { front: { MacAddress: '02:42:ac:11:00:aa' } },
      hostConfig: { DeviceRequests: [{ Driver: 'cdi', DeviceIDs: ['a.b/c=d'] }] },
    }),
  );
  t.is(shown.NetworkSettings.Networks.front?.MacAddress, '02:42:ac:11:00:aa');
  t.deepEqual(shown.HostConfig.DeviceRequests, [
    { Driver: 'cdi', Count: 0, DeviceIDs: ['a.b/c=d'], Capabilities: null, Options: null },
  ]);
});

test('what is set is shown as it is kept', (t) => {
  const config = { Hostname: 'h', StopSignal: 'SIGINT', Tty: true, Healthcheck: { Test: ['NONE'] } };
  const hostConfig = {
    Memory: 5,
    CapAdd: ['ALL'],
    MaskedPaths: [],
    LogConfig: { Type: 'none' },
    Tmpfs: { '/t': 'ro' },
  };
  const shown = inspect(recordWith({ config, hostConfig }));
  t.like(shown.Config, config);
  t.like(shown.HostConfig, { ...hostConfig, MaskedPaths: [], LogConfig: { Type: 'none', Config: {} } });
});

test('privileged containers have no masked paths', (t) => {
  t.like(inspect(recordWith({ hostConfig: { Privileged: true } })).HostConfig, {
    MaskedPaths: null,
    ReadonlyPaths: null,
  });
});

test('links show names', (t) => {
  const target = recordWith({ id: 'c'.repeat(64), name: 'target' });
  const record = recordWith({ name: 'self', hostConfig: { Links: [`${target.id}:nick`, 'gone:x'] } });
  t.deepEqual(inspect(record, {}, [target]).HostConfig.Links, ['/target:/self/nick', '/gone:/self/x']);
});

test('the storage driver is shown with what it says', (t) => {
  t.deepEqual(inspect(recordWith()).GraphDriver, { Data: null, Name: 'overlayfs' });
  t.deepEqual(inspect(recordWith(), { storage: { UpperDir: '/u' } }).GraphDriver.Data, { UpperDir: '/u' });
});

test('mounts are shown, but for those of Tmpfs', (t) => {
  const base = { mode: '', readWrite: true, propagation: '', anonymous: false, copyUp: true };
  const mounts: MountPoint[] = [
    { ...base, type: 'volume', name: 'v', driver: 'local', source: '/vol/v', destination: '/v' },
    { ...base, type: 'volume', name: 'w', driver: 'local', source: '/vol/w', destination: '/w' },
    { ...base, type: 'bind', source: '/a', destination: '/b', mode: 'ro', readWrite: false, propagation: 'rprivate' },
    { ...base, type: 'tmpfs', source: '', destination: '/t' },
    { ...base, type: 'tmpfs', source: '', destination: '/m', mode: 'size=1m' },
  ];
  const record = recordWith({ mounts, hostConfig: { Tmpfs: { '/t': '' } }, config: { Volumes: { '/w': {} } } });
  t.deepEqual(inspect(record).Mounts, [
    {
      Type: 'volume',
      Name: 'v',
      Source: '/vol/v',
      Destination: '/v',
      Driver: 'local',
      Mode: 'z',
      RW: true,
      Propagation: '',
    },
    {
      Type: 'volume',
      Name: 'w',
      Source: '/vol/w',
      Destination: '/w',
      Driver: 'local',
      Mode: '',
      RW: true,
      Propagation: '',
    },
    { Type: 'bind', Source: '/a', Destination: '/b', Mode: 'ro', RW: false, Propagation: 'rprivate' },
    { Type: 'tmpfs', Source: '', Destination: '/m', Mode: '', RW: true, Propagation: '' },
  ]);
});

const networks = { bridge: { networkId: 'bridge-id' } };

test('a running container shows its endpoint twice: at the top and under its network', (t) => {
  const settings = inspect(recordWith({ state: running, networks }), {
    endpoints: [endpoint()],
    sandboxPath: '/run/netns/a',
  }).NetworkSettings;
  const address = { EndpointID: 'endpoint-id', IPAddress: '172.17.0.2', IPPrefixLen: 16, Gateway: '172.17.0.1' };
  t.like(settings, { ...address, SandboxKey: '/run/netns/a', MacAddress: '02:42:ac:11:00:02' });
  t.like(settings.Networks.bridge, {
    ...address,
    NetworkID: 'bridge-id',
    IPAMConfig: null,
    Links: null,
    Aliases: null,
  });
});

test('only the default network is at the top', (t) => {
  const settings = inspect(recordWith({ state: running, networks: { front: { Aliases: ['nick'] } } }), {
    endpoints: [endpoint({ networkName: 'front', networkId: 'front-id', aliases: ['nick', 'aaaaaaaaaaaa'] })],
  }).NetworkSettings;
  t.is(settings.IPAddress, '');
  t.like(settings.Networks.front, {
    IPAddress: '172.17.0.2',
    NetworkID: 'front-id',
    Aliases: ['nick'],
    DNSNames: ['other', 'nick', 'aaaaaaaaaaaa'],
  });
});

test('networks stay after the end, addresses and ports do not', (t) => {
  const record = recordWith({ networks: { bridge: { networkId: 'bridge-id', Aliases: ['nick'] } } });
  const settings = inspect(record).NetworkSettings;
  t.deepEqual(settings.Ports, {});
  t.is(settings.SandboxID, '');
  t.deepEqual(settings.Networks.bridge, {
    IPAMConfig: null,
    Links: null,
    Aliases: ['nick'],
    DriverOpts: null,
    GwPriority: 0,
    DNSNames: ['other', 'nick'],
    NetworkID: 'bridge-id',
    EndpointID: '',
    Gateway: '',
    IPAddress: '',
    IPPrefixLen: 0,
    IPv6Gateway: '',
    GlobalIPv6Address: '',
    GlobalIPv6PrefixLen: 0,
    MacAddress: '',
  });
});

test('ports that are exposed and not published are null', (t) => {
  const record = recordWith({
    state: running,
    networks,
    config: { ExposedPorts: { '443/tcp': {}, '80/tcp': {} } },
    hostConfig: { PortBindings: { '53/udp': [{ HostPort: '' }] } },
  });
  const { Ports } = inspect(record, { endpoints: [published] }).NetworkSettings;
  t.deepEqual(Ports, {
    '53/udp': null,
    '80/tcp': [
      { HostIp: '0.0.0.0', HostPort: '8080' },
      { HostIp: '::', HostPort: '8080' },
    ],
    '443/tcp': null,
  });
});

test('the summary has every field of the specification', (t) => {
  const record = recordWith({
    state: running,
    networks,
    args: ['-c', 'echo hi'],
    config: { Labels: { k: 'v' }, ExposedPorts: { '443/tcp': {} } },
  });
  const facts = live({ endpoints: [published], sizes: { writable: 5, rootfs: 50 } });
  const summary = JSON.parse(wireWith().toSummary(record, facts, new Date('2024-01-01T02:05:00.000Z')));
  t.like(summary, {
    Id: record.id,
    Names: ['/other'],
    Image: 'busybox',
    ImageID: 'sha256:1',
    Command: "sleep -c 'echo hi'",
    Created: 1704067200,
    State: 'running',
    Status: 'Up 5 minutes',
    Labels: { k: 'v' },
    HostConfig: { NetworkMode: 'default' },
    SizeRw: 5,
    SizeRootFs: 50,
  });
  t.deepEqual(summary.Mounts, []);
  t.is(summary.NetworkSettings.Networks.bridge.IPAddress, '172.17.0.2');
  t.deepEqual(summary.Ports, [
    { IP: '0.0.0.0', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
    { IP: '::', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
    { PrivatePort: 443, Type: 'tcp' },
  ]);
});

test('the summary shows the id of an image whose name has moved on', (t) => {
  const summary = JSON.parse(wireWith().toSummary(recordWith(), live({ imageMoved: true }), new Date()));
  t.like(summary, { Image: 'sha256:1', ImageID: 'sha256:1' });
});

test('the summary of a stopped container has neither ports nor sizes', (t) => {
  const record = recordWith({ networks, config: { ExposedPorts: { '443/tcp': {} } } });
  const summary = JSON.parse(wireWith().toSummary(record, live(), new Date()));
  t.deepEqual(summary.Ports, []);
  t.is(summary.SizeRw, undefined);
  t.is(summary.Status, 'Created');
});

test('the summary of the same record follows what changes beside it', (t) => {
  const record = recordWith({ state: running, networks });
  const at = (time: string, changes: Partial<LiveFacts>) =>
    JSON.parse(wireWith().toSummary(record, live(changes), new Date(time)));
  const first = at('2024-01-01T02:05:00.000Z', { endpoints: [published] });
  t.like(first, { Names: ['/other'], Image: 'busybox', Status: 'Up 5 minutes' });
  t.deepEqual(at('2024-01-01T02:05:00.000Z', { endpoints: [published] }), first);
  t.deepEqual(at('2024-01-01T02:06:00.000Z', { endpoints: [published] }), { ...first, Status: 'Up 6 minutes' });
  t.deepEqual(at('2024-01-01T02:05:00.000Z', { endpoints: [{ ...published, ports: [] }] }).Ports, []);
  t.deepEqual(at('2024-01-01T02:05:00.000Z', { linkNames: ['/web/db'] }).Names, ['/other', '/web/db']);
  t.is(at('2024-01-01T02:05:00.000Z', { imageMoved: true }).Image, 'sha256:1');
  t.is(at('2024-01-01T02:05:00.000Z', { sizes: { writable: 7, rootfs: 9 } }).SizeRw, 7);
  t.is(at('2024-01-01T02:05:00.000Z', { sizes: { writable: 8, rootfs: 9 } }).SizeRw, 8);
  t.deepEqual(at('2024-01-01T02:05:00.000Z', { endpoints: [published] }), first);
});
