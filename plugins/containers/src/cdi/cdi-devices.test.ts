import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OciSpec } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import test, { type ExecutionContext } from 'ava';
import { prepareHost, refusalOf } from '../testing/configuration-fixture.js';
import { CdiDevices } from './cdi-devices.js';

const bare: OciSpec = {
  ociVersion: '1.0.2',
  process: { user: { uid: 0, gid: 0 }, args: ['true'], cwd: '/', env: ['PATH=/bin', 'MODE=own'] },
  root: { path: '/' },
  mounts: [{ destination: '/vendor', type: 'tmpfs', source: 'tmpfs', options: [] }],
  linux: { namespaces: [], resources: { devices: [{ allow: false, access: 'rwm' }] } },
};

const device = (name: string, containerEdits: object = { env: [`DEVICE=${name}`] }) => ({ name, containerEdits });

const spec = (devices: readonly object[], more: object = {}) => ({
  cdiVersion: '0.6.0',
  kind: 'vendor.com/dev',
  devices,
  ...more,
});

/** Devices described by files of two directories, of which the second is read later. */
async function open(t: ExecutionContext, files: Readonly<Record<string, unknown>>) {
  const root = await mkdtemp(path.join(tmpdir(), 'gantry-cdi-'));
  t.teardown(() => rm(root, { recursive: true }));
  const cdiSpecDirectories = [path.join(root, 'etc'), path.join(root, 'run'), path.join(root, 'absent')];
  for (const directory of cdiSpecDirectories.slice(0, 2)) await mkdir(directory);
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const devices = new CdiDevices({ cdiSpecDirectories }, silentLogger);
  return { devices, add: (...DeviceIDs: string[]) => devices.addTo(bare, requesting(...DeviceIDs)) };
}

const requesting = (...DeviceIDs: string[]) => ({ DeviceRequests: [{ Driver: 'cdi', DeviceIDs }] });

test('a device brings its variables, nodes, mounts, hooks and groups, and those of its file once', async (t) => {
  const nodes = [
    { path: '/dev/gpu0', hostPath: '/dev/null', permissions: 'rw', uid: 5 },
    { path: '/dev/made', type: 'c', major: 7, minor: 8, fileMode: 0o600 },
  ];
  const hook = { path: '/bin/true', args: ['true', 'x'], timeout: 5 };
  const { add } = await open(t, {
    'etc/vendor.json': spec(
      [device('a', { env: ['MODE=a'], deviceNodes: nodes }), device('b', { env: ['B=1'], additionalGids: [44, 0] })],
      {
        containerEdits: {
          env: ['ALL=1'],
          mounts: [{ hostPath: '/etc/hostname', containerPath: '/vendor', options: ['ro'] }],
          hooks: [{ hookName: 'createContainer', ...hook }],
        },
      },
    ),
  });
  const { hooks, linux, mounts, process } = await add('vendor.com/dev=a', 'vendor.com/dev=b');
  t.deepEqual(process.env, ['ALL=1', 'MODE=a', 'B=1', 'PATH=/bin']);
  t.deepEqual(process.user.additionalGids, [44]);
  t.deepEqual(mounts, [{ destination: '/vendor', type: 'bind', source: '/etc/hostname', options: ['rbind', 'ro'] }]);
  t.deepEqual(hooks, { createContainer: [hook] });
  t.like(linux.devices, [
    { path: '/dev/gpu0', type: 'c', major: 1, minor: 3, uid: 5 },
    { path: '/dev/made', type: 'c', major: 7, minor: 8, fileMode: 0o600 },
  ]);
  t.deepEqual(linux.resources?.devices?.slice(1), [
    { allow: true, type: 'c', major: 1, minor: 3, access: 'rw' },
    { allow: true, type: 'c', major: 7, minor: 8, access: 'rwm' },
  ]);
});

test('a container without requests stays as it is, whatever the files say', async (t) => {
  const { devices } = await open(t, { 'etc/vendor.json': 'nonsense' });
  t.is(await devices.addTo(bare, {}), bare);
});

test('a later directory replaces a device; YAML is read, too', async (t) => {
  const yaml = 'cdiVersion: 0.6.0\nkind: vendor.com/dev\ndevices:\n- name: a\n  containerEdits: {env: [FROM=run]}\n';
  const { add, devices } = await open(t, {
    'etc/one.json': spec([device('a'), device('b')]),
    'run/two.yaml': yaml,
    'etc/notes.txt': 'not a description',
  });
  t.deepEqual(await devices.names(), ['vendor.com/dev=a', 'vendor.com/dev=b']);
  t.true((await add('vendor.com/dev=a')).process.env?.includes('FROM=run'));
  t.true((await add('vendor.com/dev=b')).process.env?.includes('DEVICE=b'));
});

test('an unknown device is refused by name, with what is wrong with the files', async (t) => {
  const { add } = await open(t, { 'etc/good.json': spec([device('a')]), 'etc/bad.json': '{' });
  await t.throwsAsync(add('vendor.com/dev=a', 'vendor.com/dev=x', 'y'), {
    message: /^CDI device injection failed: unresolvable CDI devices vendor\.com\/dev=x, y \(.*bad\.json: /,
  });
});

test('a device that two files of one directory describe is none', async (t) => {
  const { add, devices } = await open(t, {
    'etc/1.json': spec([device('a'), device('b')]),
    'etc/2.json': spec([device('a')]),
  });
  t.deepEqual(await devices.names(), ['vendor.com/dev=b']);
  await t.throwsAsync(add('vendor.com/dev=a'), { message: /dev=a: described by .*1\.json and by .*2\.json/ });
});

for (const [what, content, words] of [
  [
    'an edit that is not known',
    spec([device('a', { netDevices: [] })]),
    /containerEdits\/netDevices: Unexpected property/,
  ],
  ['a kind without a vendor', spec([device('a')], { kind: 'dev' }), /\/kind: /],
  ['a version of another format', spec([device('a')], { cdiVersion: '2' }), /\/cdiVersion: /],
  ['a variable without a value', spec([device('a', { env: ['X'] })]), /\/env\/0: /],
  ['a relative place', spec([device('a', { deviceNodes: [{ path: 'gpu' }] })]), /\/deviceNodes\/0\/path: /],
  ['a hook of no known name', spec([device('a', { hooks: [{ hookName: 'soon', path: '/x' }] })]), /\/hookName: /],
  ['no devices', spec([]), /\/devices: /],
] as const) {
  test(`a file with ${what} is not used`, async (t) => {
    const { add, devices } = await open(t, { 'etc/vendor.json': content });
    t.deepEqual(await devices.names(), []);
    await t.throwsAsync(add('vendor.com/dev=a'), { message: words });
  });
}

test('a device node that the host lacks is named', async (t) => {
  const { add } = await open(t, { 'etc/v.json': spec([device('a', { deviceNodes: [{ path: '/dev/nosuch' }] })]) });
  await t.throwsAsync(add('vendor.com/dev=a'), { message: /device node \/dev\/nosuch: ENOENT/ });
});

test('GPUs are those that NVIDIA describes: all, a number of them, or the named ones', async (t) => {
  const { devices } = await open(t, {
    'etc/nvidia.json': spec(
      ['all', '0', '1'].map((name) => device(name, { env: [`GPU_${name}=1`] })),
      {
        kind: 'nvidia.com/gpu',
      },
    ),
  });
  const gpus = async (request: object) => {
    const { process } = await devices.addTo(bare, { DeviceRequests: [{ Capabilities: [['gpu']], ...request }] });
    return process.env?.filter((entry) => entry.startsWith('GPU_'));
  };
  t.deepEqual(await gpus({ Count: -1 }), ['GPU_all=1']);
  t.deepEqual(await gpus({ Count: 2, Driver: 'nvidia' }), ['GPU_0=1', 'GPU_1=1']);
  t.deepEqual(await gpus({ DeviceIDs: ['1'] }), ['GPU_1=1']);
  t.deepEqual(await gpus({ DeviceIDs: ['nvidia.com/gpu=0'] }), ['GPU_0=1']);
  for (const request of [{ Count: 3 }, { DeviceIDs: ['7'] }, {}]) {
    await t.throwsAsync(gpus(request), { message: 'could not select device driver "" with capabilities: [[gpu]]' });
  }
});

for (const [request, words] of [
  [{ Driver: 'nope' }, 'could not select device driver "nope" with capabilities: []'],
  [{ Capabilities: [['tpu']] }, 'could not select device driver "" with capabilities: [[tpu]]'],
  [
    { Driver: 'cdi', DeviceIDs: ['v/d=a'], Options: { a: 'b' } },
    'DeviceRequests: Options: a=b is not supported by the driver "cdi"',
  ],
  [
    { Driver: 'cdi', DeviceIDs: ['v/d=a'], Count: 2 },
    'DeviceRequests: Count: 2: the driver "cdi" takes DeviceIDs only',
  ],
  [{ Driver: 'cdi' }, 'DeviceRequests: DeviceIDs: the driver "cdi" needs at least one'],
] as const) {
  test(`refused at create: ${JSON.stringify(request)}`, (t) => {
    t.is(
      refusalOf(() => prepareHost({ DeviceRequests: [request] })),
      words,
    );
  });
}
