import test from 'ava';
import { prepare, refusalOf } from '../testing/configuration-fixture.js';
import { decodeCreateBody, decodeUpdateBody } from './decode-bodies.js';

for (const [body, words] of [
  [undefined, 'the request body: undefined is not an object'],
  [null, 'the request body: null is not an object'],
  [[], 'the request body: [] is not an object'],
  [5, 'the request body: 5 is not an object'],
  ['x', 'the request body: "x" is not an object'],
  [{ Env: 'A=b' }, 'Env: "A=b" is not an array of string'],
  [{ Tty: 'yes' }, 'Tty: "yes" is not a boolean'],
  [{ Cmd: 5 }, 'Cmd: 5 is not a string or array of string'],
  [{ Labels: ['x'] }, 'Labels: ["x"] is not a map of string'],
  [{ ExposedPorts: [] }, 'ExposedPorts: [] is not a map of object'],
  [{ HostConfig: 'x' }, 'HostConfig: "x" is not an object'],
  [{ Volumes: ['/v'] }, 'Volumes: ["/v"] is not a map of object'],
  [{ User: 5 }, 'User: 5 is not a string'],
  [{ Image: ['x'] }, 'Image: ["x"] is not a string'],
  [{ Cmd: ['a\0b'] }, 'Cmd[0]: "a\\u0000b" holds a NUL byte'],
  [{ Labels: { 'a\0': '' } }, 'Labels.a\0: "a\\u0000" holds a NUL byte'],
  [
    { HostConfig: { Memory: 2 ** 60 } },
    `HostConfig.Memory: ${2 ** 60} is out of range [-9007199254740991, 9007199254740991]`,
  ],
] as const) {
  test(`refused: ${JSON.stringify(body)}`, (t) => {
    t.is(
      refusalOf(() => decodeCreateBody(body)),
      words,
    );
  });
}

for (const [update, words] of [
  [{ OomKillDisable: true }, 'OomKillDisable: true cannot be updated'],
  [
    { Ulimits: [{ Name: 'nofile', Soft: 1, Hard: 2 }] },
    'Ulimits: [{"Name":"nofile","Soft":1,"Hard":2}] cannot be updated',
  ],
  [{ CpuShares: 5, MemorySwappiness: 0, Devices: [], Init: null }, 'nothing wrong'],
] as const) {
  test(`an update with ${JSON.stringify(update)}: ${words}`, (t) => {
    t.is(
      refusalOf(() => decodeUpdateBody(update)),
      words,
    );
  });
}

test('an update that does not decode is refused', (t) => {
  t.is(
    refusalOf(() => decodeUpdateBody({ CpuShares: 'x' })),
    'CpuShares: "x" is not an integer',
  );
});

test('what a client of today sends for a plain run is taken without a word', (t) => {
  const { hostConfig, warnings, networks } = prepare({
    Hostname: '',
    Domainname: '',
    User: '',
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    OpenStdin: false,
    StdinOnce: false,
    Env: null,
    Cmd: ['true'],
    Image: 'busybox',
    Volumes: {},
    WorkingDir: '',
    Entrypoint: null,
    OnBuild: null,
    Labels: {},
    HostConfig: {
      Binds: null,
      ContainerIDFile: '',
      LogConfig: { Type: '', Config: {} },
      NetworkMode: 'default',
      PortBindings: {},
      RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
      AutoRemove: false,
      VolumeDriver: '',
      VolumesFrom: null,
      ConsoleSize: [24, 80],
      CapAdd: null,
      CapDrop: null,
      CgroupnsMode: '',
      Dns: [],
      DnsOptions: [],
      DnsSearch: [],
      ExtraHosts: null,
      GroupAdd: null,
      IpcMode: '',
      Cgroup: '',
      Links: null,
      OomScoreAdj: 0,
      PidMode: '',
      Privileged: false,
      SecurityOpt: null,
      UTSMode: '',
      UsernsMode: '',
      ShmSize: 0,
      Isolation: '',
      CpuShares: 0,
      Memory: 0,
      NanoCpus: 0,
      CgroupParent: '',
      BlkioWeight: 0,
      BlkioWeightDevice: [],
      BlkioDeviceReadBps: [],
      CpuPeriod: 0,
      CpuQuota: 0,
      CpuRealtimePeriod: 0,
      CpuRealtimeRuntime: 0,
      CpusetCpus: '',
      CpusetMems: '',
      Devices: [],
      DeviceCgroupRules: null,
      DeviceRequests: null,
      MemoryReservation: 0,
      MemorySwap: 0,
      MemorySwappiness: -1,
      OomKillDisable: false,
      PidsLimit: 0,
      Ulimits: [],
      CpuCount: 0,
      CpuPercent: 0,
      IOMaximumIOps: 0,
      IOMaximumBandwidth: 0,
      MaskedPaths: null,
      ReadonlyPaths: null,
    },
    NetworkingConfig: { EndpointsConfig: { default: { IPAMConfig: null, Links: null, Aliases: null } } },
  });
  t.deepEqual(warnings, []);
  t.is(hostConfig.NetworkMode, 'default');
  t.deepEqual(networks, { bridge: { networkId: 'bridge-id' } });
});
