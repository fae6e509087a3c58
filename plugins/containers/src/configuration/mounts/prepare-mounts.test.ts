import test from 'ava';
import type { MountPoint } from '../../record.js';
import {
  hostWith,
  lookupOf,
  prepare,
  prepareHost,
  recordWith,
  refusalOf,
} from '../../testing/configuration-fixture.js';
import type { PreparedMount } from './prepared-mount.js';

const invalid = (text: string, type: string, reason: string): string =>
  `invalid volume specification: '${text}': invalid mount config for type "${type}": ${reason}`;
const badName = (name: string): string =>
  `create ${name}: "${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`;
const relative = (path: string): string => `invalid mount path: '${path}' mount path must be absolute`;
const onRoot = "invalid specification: destination can't be '/'";
const bind = (...Binds: string[]) => ({ Binds });
const mount = (...Mounts: object[]) => ({ Mounts });

for (const [wish, words] of [
  [bind(''), "invalid volume specification: ''"],
  [bind(':/x'), "invalid volume specification: ':/x'"],
  [bind('/a:/b:ro:x'), "invalid volume specification: '/a:/b:ro:x'"],
  [bind('/foo:rw'), "invalid volume specification: '/foo:rw'"],
  [bind('/a:/b:zz'), 'invalid mode: zz'],
  [bind('/a:/b:ro,rw'), 'invalid mode: ro,rw'],
  [bind('/a:/b:ro,ro'), 'invalid mode: ro,ro'],
  [bind('/a:/b:shared,slave'), 'invalid mode: shared,slave'],
  [bind('/a:/b:z,Z'), 'invalid mode: z,Z'],
  [bind('rel/x:/x'), invalid('rel/x:/x', 'volume', badName('rel/x'))],
  [bind('./x:/x'), invalid('./x:/x', 'volume', badName('./x'))],
  [bind('/tmp:x'), invalid('/tmp:x', 'bind', relative('x'))],
  [bind('/tmp:'), invalid('/tmp:', 'bind', 'field Target must not be empty')],
  [bind('v:x'), invalid('v:x', 'volume', relative('x'))],
  [bind('x'), invalid('x', 'volume', relative('x'))],
  [bind('/tmp:/'), invalid('/tmp:/', 'bind', onRoot)],
  [bind('/tmp:/a/..'), invalid('/tmp:/a/..', 'bind', onRoot)],
  [bind('v:/x:rshared'), invalid('v:/x:rshared', 'volume', 'field BindOptions must not be specified')],
  [bind('/a:/x:nocopy'), invalid('/a:/x:nocopy', 'bind', 'field VolumeOptions must not be specified')],
  [bind('/tmp:/x', '/etc:/x/'), 'Duplicate mount point: /x'],
  [{ ...bind('/tmp:/x'), Tmpfs: { '/x': '' } }, 'Duplicate mount point: /x'],
  [{ ...bind('/tmp:/x'), Mounts: [{ Type: 'bind', Source: '/a', Target: '/x' }] }, 'Duplicate mount point: /x'],
  [{ Tmpfs: { x: '' } }, relative('x')],
  [{ Tmpfs: { '/': '' } }, onRoot],
  [{ Tmpfs: { '/x': 'nosuch' } }, 'Tmpfs: Invalid tmpfs option "nosuch"'],
  [{ Tmpfs: { '/x': 'size=big' } }, 'Tmpfs: Invalid tmpfs option "size=big"'],
  [{ Tmpfs: { '/x': 'rw,bind' } }, 'Tmpfs: Invalid tmpfs option "bind"'],
  [{ VolumesFrom: [''] }, 'VolumesFrom: invalid volumes-from: ""'],
  [{ VolumesFrom: ['x:zz'] }, 'VolumesFrom: invalid mode: zz'],
  [{ VolumesFrom: ['x:rshared'] }, 'VolumesFrom: invalid mode: rshared'],
  [{ VolumesFrom: ['nosuch'] }, 'No such container: nosuch'],
  [mount({ Type: 'npipe', Target: '/x' }), 'invalid mount config for type "npipe": mount type unknown'],
  [mount({ Type: 'bind', Target: '/x' }), 'invalid mount config for type "bind": field Source must not be empty'],
  [mount({ Type: 'bind', Source: 'r', Target: '/x' }), `invalid mount config for type "bind": ${relative('r')}`],
  [mount({ Source: 'v' }), 'invalid mount config for type "volume": field Target must not be empty'],
  [
    mount({ Type: 'bind', Source: '/r', Target: '/x', BindOptions: { Propagation: 'odd' } }),
    'invalid mount config for type "bind": invalid propagation mode: odd',
  ],
  [
    mount({ Target: '/x', ReadOnly: true }),
    'invalid mount config for type "volume": must not set ReadOnly mode when using anonymous volumes',
  ],
  [
    mount({ Type: 'bind', Source: '/a', Target: '/x', Consistency: 'odd' }),
    'invalid mount config for type "bind": Consistency: "odd" is not supported',
  ],
  [
    mount({ Type: 'bind', Source: '/a', Target: '/x', BindOptions: { ReadOnlyNonRecursive: true } }),
    'mount /x: BindOptions.ReadOnlyNonRecursive requires ReadOnly',
  ],
  ...[[], ['size', '1m', 'x']].map(
    (option) =>
      [
        mount({ Type: 'tmpfs', Target: '/x', TmpfsOptions: { Options: [option] } }),
        `invalid mount config for type "tmpfs": TmpfsOptions.Options: ${JSON.stringify(option)} is not a name, or a name and a value`,
      ] as const,
  ),
  [
    mount({ Type: 'tmpfs', Source: '/a', Target: '/x' }),
    'invalid mount config for type "tmpfs": field Source must not be specified',
  ],
] as const) {
  test(`refused: ${JSON.stringify(wish)}`, (t) => {
    t.is(
      refusalOf(() => prepareHost(wish)),
      words,
    );
  });
}

test('volumes of the configuration need an absolute place too', (t) => {
  t.is(
    refusalOf(() => prepare({ Volumes: { 'x/y': {} } })),
    relative('x/y'),
  );
  t.is(
    refusalOf(() => prepare({ Volumes: { '/': {} } })),
    onRoot,
  );
});

const only = (wish: object): PreparedMount | undefined => {
  const { mounts } = prepareHost(wish);
  return mounts.length === 1 ? mounts[0] : undefined;
};

const bound = {
  type: 'bind',
  source: '/a/b',
  destination: '/c',
  mode: '',
  readWrite: true,
  propagation: 'rprivate',
  anonymous: false,
  copyUp: false,
};
const volume = {
  type: 'volume',
  name: 'v',
  source: '',
  destination: '/c',
  mode: '',
  readWrite: true,
  propagation: '',
  anonymous: false,
  copyUp: true,
};

test('binds are read in every form', (t) => {
  t.deepEqual(only(bind('/a/b:/c')), bound);
  t.deepEqual(only(bind('/a//b/:/c/./')), bound);
  t.deepEqual(only(bind('/a/b:/c:ro')), { ...bound, mode: 'ro', readWrite: false });
  t.deepEqual(only(bind('/a/b:/c:rw,z')), { ...bound, mode: 'rw,z' });
  t.deepEqual(only(bind('/a/b:/c:ro,Z,rslave')), {
    ...bound,
    mode: 'ro,Z,rslave',
    readWrite: false,
    propagation: 'rslave',
  });
  for (const word of ['shared', 'rshared', 'slave', 'rslave', 'private', 'rprivate']) {
    t.is(only(bind(`/a/b:/c:${word}`))?.propagation, word);
  }
  t.deepEqual(only(bind('/a/b:/c:cached')), { ...bound, mode: 'cached' });
});

test('volumes are read in every form', (t) => {
  const { name: _name, ...nameless } = volume;
  t.deepEqual(only(bind('v:/c')), volume);
  t.deepEqual(only(bind('v:/c:ro')), { ...volume, mode: 'ro', readWrite: false });
  t.deepEqual(only(bind('v:/c:nocopy')), { ...volume, mode: 'nocopy', copyUp: false });
  t.deepEqual(only(bind('/c')), { ...nameless, anonymous: true });
});

test('VolumeDriver is for volumes only', (t) => {
  t.deepEqual(only({ ...bind('v:/c'), VolumeDriver: 'nfs' }), { ...volume, driver: 'nfs' });
  t.deepEqual(only({ ...bind('server/share:/c'), VolumeDriver: 'nfs' }), {
    ...volume,
    name: 'server/share',
    driver: 'nfs',
  });
  t.deepEqual(only({ ...bind('/a/b:/c'), VolumeDriver: 'nfs' }), bound);
});

test('file systems in memory keep their options', (t) => {
  const tmpfs = { ...bound, type: 'tmpfs', source: '', propagation: '' };
  t.deepEqual(only({ Tmpfs: { '/c': '' } }), tmpfs);
  const mode = 'size=1m,mode=700,ro';
  t.deepEqual(only({ Tmpfs: { '/c/': mode } }), { ...tmpfs, mode, readWrite: false });
  t.deepEqual(only(mount({ Type: 'tmpfs', Target: '/c', TmpfsOptions: { SizeBytes: 65536, Mode: 0o1777 } })), {
    ...tmpfs,
    mode: 'size=65536,mode=1777',
  });
});

test('mounts of the later form are read', (t) => {
  t.deepEqual(only(mount({ Type: 'bind', Source: '/a/b', Target: '/c', ReadOnly: true })), {
    ...bound,
    readWrite: false,
    sourceMustExist: true,
  });
  const BindOptions = { CreateMountpoint: true };
  t.deepEqual(only(mount({ Type: 'bind', Source: '/a/b', Target: '/c', BindOptions })), bound);
  const options = { NoCopy: true, Labels: { a: 'b' }, DriverConfig: { Name: 'nfs', Options: { o: 'x' } } };
  t.deepEqual(only(mount({ Source: 'v', Target: '/c', VolumeOptions: options })), {
    ...volume,
    driver: 'nfs',
    copyUp: false,
    volumeLabels: { a: 'b' },
    volumeOptions: { o: 'x' },
  });
});

const donor = recordWith({
  name: 'donor',
  mounts: [
    { ...volume, name: 'abc', source: '/vol/abc', driver: 'local', anonymous: true } as MountPoint,
    { ...bound, destination: '/d', readWrite: false } as MountPoint,
    { ...bound, type: 'tmpfs', destination: '/t' } as MountPoint,
  ],
});
const from = (VolumesFrom: string[], more: object = {}) =>
  prepareHost({ VolumesFrom, ...more }, { containers: lookupOf(donor) }).mounts;

test('mounts of another container are taken over, but for those in memory', (t) => {
  const [first, second, ...rest] = from(['donor']);
  t.deepEqual(first, { ...donor.mounts[0], copyUp: false } as MountPoint);
  t.deepEqual(second, donor.mounts[1]);
  t.deepEqual(rest, []);
});

test('hidden mounts are the container’s own', (t) => {
  const file = { Type: 'bind', Source: '/files/0', Target: '/run/secrets/key', ReadOnly: true };
  const prepared = prepareHost({}, { defaults: { hiddenMounts: [file] } });
  t.like(prepared.mounts[0], { source: '/files/0', destination: '/run/secrets/key', readWrite: false, hidden: true });
  t.is(prepared.hostConfig.Mounts, undefined);
  const container = recordWith({ name: 'task', mounts: prepared.mounts as MountPoint[] });
  t.deepEqual(prepareHost({ VolumesFrom: ['task'] }, { containers: lookupOf(container) }).mounts, []);
});

test('read-only stays read-only, and can be asked for', (t) => {
  t.deepEqual(
    from(['donor:ro']).map(({ readWrite }) => readWrite),
    [false, false],
  );
  t.deepEqual(
    from(['donor:rw']).map(({ readWrite }) => readWrite),
    [true, false],
  );
});

test('one’s own mounts go before those of others, and those before the configuration’s', (t) => {
  const mounts = prepare(
    { Volumes: { '/c': {}, '/d': {}, '/e': {} }, HostConfig: { VolumesFrom: ['donor'], Binds: ['/mine:/c'] } },
    { containers: lookupOf(donor), image: { Volumes: { '/e': {}, '/f': {} } } },
  ).mounts;
  t.deepEqual(mounts.map(({ destination, type, anonymous }) => [destination, type, anonymous]).sort(), [
    ['/c', 'bind', false],
    ['/d', 'bind', false],
    ['/e', 'volume', true],
    ['/f', 'volume', true],
  ]);
});

test('the less deep is mounted first', (t) => {
  const { mounts } = prepareHost(bind('/x:/m/sub/sub', '/y:/m', '/z:/m/sub'));
  t.deepEqual(
    mounts.map(({ destination }) => destination),
    ['/m', '/m/sub', '/m/sub/sub'],
  );
});

test('a subpath stays inside of its volume or image, and names something that exists', (t) => {
  const wanted = (mount: object) => prepareHost({ Mounts: [{ Target: '/d', ...mount }] }).mounts[0];
  const refusal = (mount: object) => refusalOf(() => wanted(mount));
  t.like(wanted({ Source: 'v', VolumeOptions: { Subpath: 'a/../b' } }), { subpath: 'a/../b', copyUp: false });
  const image = { Type: 'image', Source: 'busybox' };
  t.like(wanted({ ...image, ImageOptions: { Subpath: 'bin' } }), {
    type: 'image',
    image: { reference: 'busybox' },
    readWrite: false,
    subpath: 'bin',
  });
  t.is(wanted(image)?.subpath, undefined);
  for (const Subpath of ['/a', '..', '../a', 'a/../../b']) {
    const words = `subpath must be a relative path within the volume: "${Subpath}"`;
    t.is(refusal({ Source: 'v', VolumeOptions: { Subpath } }), `invalid mount config for type "volume": ${words}`);
    t.is(refusal({ ...image, ImageOptions: { Subpath } }), `invalid mount config for type "image": ${words}`);
  }
  t.is(
    refusal({ VolumeOptions: { Subpath: 'a' } }),
    'invalid mount config for type "volume": must not set Subpath when using anonymous volumes',
  );
  t.is(refusal({ Type: 'image' }), 'invalid mount config for type "image": field Source must not be empty');
});

test('a bind can leave out what is mounted below its source', (t) => {
  const bound = (NonRecursive: boolean) =>
    prepareHost({ Mounts: [{ Type: 'bind', Source: '/s', Target: '/d', BindOptions: { NonRecursive } }] }).mounts[0];
  t.true(bound(true)?.nonRecursive);
  t.is(bound(false)?.nonRecursive, undefined);
});

const readOnlyBind = (BindOptions: object = {}) => ({
  Mounts: [{ Type: 'bind', Source: '/s', Target: '/d', ReadOnly: true, BindOptions }],
});

test('a read-only bind is recursively so where its options or the client’s version say it', (t) => {
  const recursive = { defaults: { recursiveReadOnly: true } };
  const isDeep = (wish: object, setting = {}) => prepareHost(wish, setting).mounts[0]?.recursiveReadOnly ?? false;
  t.false(isDeep(readOnlyBind()));
  t.true(isDeep(readOnlyBind(), recursive));
  t.true(isDeep(bind('/s:/d:ro'), recursive));
  t.false(isDeep(bind('/s:/d'), recursive));
  t.false(isDeep(readOnlyBind({ ReadOnlyNonRecursive: true }), recursive));
  t.true(isDeep(readOnlyBind({ ReadOnlyForceRecursive: true })));
  t.false(isDeep(readOnlyBind(), { ...recursive, host: hostWith({}, { recursiveReadOnly: false }) }));
});

for (const [options, words] of [
  [{ ReadOnlyNonRecursive: true }, 'conflicts with ReadOnlyNonRecursive'],
  [{ Propagation: 'rshared' }, 'requires the propagation rprivate, not rshared'],
] as const) {
  test(`a forced recursion is refused: ${words}`, (t) => {
    const refusal = refusalOf(() => prepareHost(readOnlyBind({ ReadOnlyForceRecursive: true, ...options })));
    t.is(refusal, `mount /d: BindOptions.ReadOnlyForceRecursive ${words}`);
  });
}

test('a forced recursion is refused where the kernel has none, and for a bind that is writable', (t) => {
  const host = hostWith({}, { recursiveReadOnly: false });
  t.regex(
    refusalOf(() => prepareHost(readOnlyBind({ ReadOnlyForceRecursive: true }), { host })),
    /requires Linux 5\.12$/,
  );
  const writable = { Type: 'bind', Source: '/s', Target: '/d', BindOptions: { ReadOnlyForceRecursive: true } };
  t.regex(
    refusalOf(() => prepareHost({ Mounts: [writable] })),
    /requires ReadOnly$/,
  );
});

test('options of a tmpfs are those of mount, and others are refused', (t) => {
  const tmpfs = (...Options: string[][]) => ({ Mounts: [{ Type: 'tmpfs', Target: '/t', TmpfsOptions: { Options } }] });
  t.is(prepareHost(tmpfs(['exec'], ['uid', '1000'])).mounts[0]?.mode, 'exec,uid=1000');
  t.regex(
    refusalOf(() => prepareHost(tmpfs(['loop', '1']))),
    /Invalid tmpfs option "loop=1"/,
  );
});

test('options of another type of mount are refused by name', (t) => {
  const options = { BindOptions: {}, VolumeOptions: { NoCopy: true }, TmpfsOptions: { SizeBytes: 4096 } };
  const sources = { bind: '/s', volume: 'v', tmpfs: '' };
  for (const [type, Source] of Object.entries(sources)) {
    for (const [field, value] of Object.entries(options)) {
      if (field.toLowerCase() === `${type}options`) continue;
      t.is(
        refusalOf(() => prepareHost({ Mounts: [{ Type: type, Source, Target: '/d', [field]: value }] })),
        `invalid mount config for type "${type}": field ${field} must not be specified`,
      );
    }
  }
});

test('the propagation of a file system in memory can be named', (t) => {
  for (const mode of ['shared', 'rslave', 'private', 'unbindable']) {
    t.is(prepareHost({ Tmpfs: { '/c': mode } }).mounts[0]?.mode, mode);
  }
});

test('fields that this engine does not know are refused with their value, unless they are empty', (t) => {
  for (const [body, words] of [
    [{ HostConfig: { CpuShape: 'x' } }, 'HostConfig.CpuShape: "x" is not supported'],
    [
      { HostConfig: { Mounts: [{ ImageOptions: { Path: 'x' } }] } },
      'HostConfig.Mounts[0].ImageOptions.Path: "x" is not supported',
    ],
    [{ Healthcheck: { StartPhase: 5 } }, 'Healthcheck.StartPhase: 5 is not supported'],
  ] as const) {
    t.is(
      refusalOf(() => prepare(body)),
      words,
    );
  }
  const blank = { Annotations: {}, KernelMemoryTCP: 0, LxcConf: [], Unknown: null, Nested: { A: '' } };
  const echoed = { EndpointsConfig: { bridge: { NetworkID: 'x', EndpointID: 'y', IPAddress: '10.0.0.2' } } };
  t.notThrows(() => prepare({ HostConfig: blank, NetworkingConfig: echoed, name: 'of a client library' }));
});
