import test from 'ava';
import { ConnectBodySchema, CreateBodySchema, MountSchema, UpdateBodySchema } from '../schema.js';
import { lookupOf, prepare, recordWith } from '../testing/configuration-fixture.js';
import { effectiveContainer } from './effective-container.js';

/**
 * How a field reaches what a policy wants to judge:
 *
 * - `plain`: nothing outside the container, or only what the field itself says;
 * - `own`: the host or another container, by what the field itself says, and no other field says it in its place;
 * - `resolved`: by a reference, so the effective container shows what it leads to;
 * - `agrees`: it repeats what another field says, and a request where the two differ is refused.
 */
type Decision = 'plain' | 'own' | 'resolved' | 'agrees';

const fields = (decision: Decision, names: string): Record<string, Decision> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, decision]));

/** Every field of a create, by the schema it belongs to. */
const decisions: Readonly<Record<string, Readonly<Record<string, Decision>>>> = {
  config: {
    ...fields(
      'plain',
      'Hostname Domainname User AttachStdin AttachStdout AttachStderr Tty OpenStdin StdinOnce Env Labels',
    ),
    ...fields('plain', 'Cmd Entrypoint Healthcheck WorkingDir ExposedPorts StopSignal StopTimeout OnBuild Shell'),
    ...fields('plain', 'ArgsEscaped Volumes'),
    // With no network the container is on `none`, whatever NetworkMode says: less than that.
    ...fields('own', 'Image NetworkDisabled MacAddress'),
    ...fields('resolved', 'HostConfig NetworkingConfig'),
  },
  hostConfig: {
    ...fields(
      'plain',
      'CpuShares CpuPeriod CpuQuota CpuRealtimePeriod CpuRealtimeRuntime CpusetCpus CpusetMems NanoCpus',
    ),
    ...fields('plain', 'Memory MemorySwap MemoryReservation KernelMemory BlkioWeight PidsLimit CpuPercent CpuCount'),
    ...fields('plain', 'IOMaximumBandwidth IOMaximumIOps MemorySwappiness OomKillDisable OomScoreAdj ReadonlyRootfs'),
    ...fields(
      'plain',
      'Dns DnsOptions DnsSearch ExtraHosts GroupAdd RestartPolicy Ulimits Sysctls ShmSize ConsoleSize',
    ),
    ...fields('plain', 'ContainerIDFile Isolation Init AutoRemove Tmpfs StorageOpt VolumeDriver'),
    ...fields(
      'own',
      'BlkioWeightDevice BlkioDeviceReadBps BlkioDeviceWriteBps BlkioDeviceReadIOps BlkioDeviceWriteIOps',
    ),
    ...fields(
      'own',
      'UTSMode UsernsMode CgroupnsMode Cgroup CgroupParent Privileged CapAdd CapDrop SecurityOpt Runtime',
    ),
    ...fields('own', 'Devices DeviceCgroupRules DeviceRequests MaskedPaths ReadonlyPaths PortBindings PublishAllPorts'),
    ...fields('own', 'LogConfig Annotations'),
    ...fields('resolved', 'NetworkMode PidMode IpcMode Binds Mounts VolumesFrom Links'),
  },
  mount: {
    ...fields('plain', 'Target ReadOnly Consistency TmpfsOptions ImageOptions'),
    ...fields('own', 'Type BindOptions'),
    ...fields('resolved', 'Source VolumeOptions'),
  },
  endpoint: fields('own', 'IPAMConfig Links Aliases MacAddress DriverOpts GwPriority'),
  networkingConfig: fields('agrees', 'EndpointsConfig'),
  update: {
    ...fields(
      'plain',
      'CpuShares CpuPeriod CpuQuota CpuRealtimePeriod CpuRealtimeRuntime CpusetCpus CpusetMems NanoCpus',
    ),
    ...fields('plain', 'Memory MemorySwap MemoryReservation KernelMemory BlkioWeight PidsLimit RestartPolicy'),
  },
};

const schemas = {
  config: CreateBodySchema,
  hostConfig: CreateBodySchema.properties.HostConfig,
  mount: MountSchema,
  endpoint: ConnectBodySchema.properties.EndpointConfig,
  networkingConfig: CreateBodySchema.properties.NetworkingConfig,
  update: UpdateBodySchema,
} as const;

for (const [name, schema] of Object.entries(schemas)) {
  test(`every field of ${name} has a decision, and every decision a field`, (t) => {
    const known = Object.keys((schema as { readonly properties: object }).properties);
    t.deepEqual(Object.keys(decisions[name] ?? {}).sort(), known.sort());
  });
}

const id = (letter: string): string => letter.repeat(64);

const mount = {
  type: 'bind',
  source: '/etc',
  destination: '/e',
  mode: 'ro',
  readWrite: false,
  propagation: 'rprivate',
} as const;
const donor = recordWith({ id: id('d'), name: 'donor', mounts: [{ ...mount, anonymous: false, copyUp: false }] });
const onHost = recordWith({
  id: id('1'),
  name: 'on-host',
  hostConfig: { NetworkMode: 'host', PidMode: 'host', IpcMode: 'shareable' },
});
const joined = (name: string, letter: string, other: string) =>
  recordWith({
    id: id(letter),
    name,
    hostConfig: { NetworkMode: `container:${other}`, PidMode: `container:${other}`, IpcMode: 'shareable' },
  });
const between = joined('between', '2', id('1'));
const ring = [joined('ring-a', 'a', id('b')), joined('ring-b', 'b', id('a'))];
const containers = lookupOf(donor, onHost, between, ...ring);

interface Effective {
  readonly HostConfig: Readonly<Record<string, unknown>>;
  readonly NetworkingConfig: { readonly EndpointsConfig: object };
}

/** The container that a body comes to, with volumes as their driver has them. */
function effective(HostConfig: object, more: object = {}, options: Readonly<Record<string, string>> = {}): Effective {
  const prepared = prepare({ HostConfig, ...more }, { containers });
  const mounts = prepared.mounts.map((each) =>
    each.type === 'volume' ? { mount: each, volume: { driver: 'local', options } } : { mount: each },
  );
  return effectiveContainer({ ...prepared, imageName: 'busybox', mounts }, containers) as Effective;
}

/** One case at least for every field that leads elsewhere. */
const cases: Readonly<Record<string, () => readonly [actual: unknown, expected: unknown]>> = {
  'NetworkMode of a container on the host': () => [
    effective({ NetworkMode: 'container:on-host' }).HostConfig.NetworkMode,
    'host',
  ],
  'NetworkMode of a container that joined one on the host': () => [
    effective({ NetworkMode: 'container:between' }).HostConfig.NetworkMode,
    'host',
  ],
  'NetworkMode of a container of its own network': () => [
    effective({ NetworkMode: 'container:donor' }).HostConfig.NetworkMode,
    `container:${id('d')}`,
  ],
  'NetworkMode of the host by the id of its network': () => [
    effective({ NetworkMode: 'host-id' }).HostConfig.NetworkMode,
    'host',
  ],
  'NetworkMode in a ring of containers': () => [
    effective({ NetworkMode: 'container:ring-a' }).HostConfig.NetworkMode,
    `container:${id('a')}`,
  ],
  'NetworkMode default with another network in NetworkingConfig': () => [
    effective({}, { NetworkingConfig: { EndpointsConfig: { front: {} } } }).HostConfig.NetworkMode,
    'front',
  ],
  'NetworkMode with NetworkDisabled': () => [
    effective({}, { NetworkDisabled: true }).NetworkingConfig.EndpointsConfig,
    { none: { networkId: 'none-id' } },
  ],
  'PidMode of a container in the namespace of the host': () => [
    effective({ PidMode: 'container:between' }).HostConfig.PidMode,
    'host',
  ],
  'IpcMode of a container of its own': () => [
    effective({ IpcMode: 'container:on-host' }).HostConfig.IpcMode,
    `container:${id('1')}`,
  ],
  'VolumesFrom a container that binds a path of the host': () => [
    effective({ VolumesFrom: ['donor'] }).HostConfig.Binds,
    ['/etc:/e:ro'],
  ],
  'Mounts beside Binds': () => [
    effective({ Binds: ['/a:/x:ro'], Mounts: [{ Type: 'bind', Source: '/b', Target: '/y' }] }).HostConfig.Binds,
    ['/a:/x:ro', '/b:/y'],
  ],
  'a volume whose options bind a path': () => [
    effective({ Binds: ['data:/x'] }, {}, { type: 'none', o: 'bind', device: '/etc' }).HostConfig.Binds,
    ['/etc:/x'],
  ],
  'a volume that is a mount of another file system': () => [
    effective({ Binds: ['data:/x'] }, {}, { type: 'nfs', o: 'addr=1.2.3.4', device: ':/export' }).HostConfig.Binds,
    [],
  ],
  'Mounts shows every mount': () => [
    effective({ Binds: ['data:/x:ro'] }, {}, { a: 'b' }).HostConfig.Mounts,
    [
      {
        Type: 'volume',
        Source: 'data',
        Target: '/x',
        ReadOnly: true,
        VolumeOptions: { DriverConfig: { Name: 'local', Options: { a: 'b' } } },
      },
    ],
  ],
};

for (const [title, judged] of Object.entries(cases)) {
  test(`what is judged: ${title}`, (t) => {
    const [actual, expected] = judged();
    t.deepEqual(actual, expected);
  });
}

test('NetworkingConfig cannot say otherwise than NetworkMode', (t) => {
  for (const [NetworkMode, endpoint] of [
    ['bridge', 'host'],
    ['bridge', 'host-id'],
    ['bridge', 'front'],
    ['front', 'bridge'],
    ['none', 'front'],
    ['bridge', 'container:donor'],
    ['default', 'host'],
    ['container:donor', 'front'],
    ['host', 'front'],
  ] as const) {
    const more = { NetworkingConfig: { EndpointsConfig: { [endpoint]: {} } } };
    t.throws(() => effective({ NetworkMode }, more), undefined, `${NetworkMode} and ${endpoint}`);
  }
});
