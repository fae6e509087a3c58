import { defaultCapabilities, maskedPaths } from '@gantry/lib-oci';
import test from 'ava';
import { directoriesOf } from '../files/directories-of.js';
import { parseManifest } from '../manifest/parse-manifest.js';
import { pluginSpec } from './plugin-spec.js';

const directories = directoriesOf(
  { root: '/root', state: '/state' },
  {
    id: 'a'.repeat(64),
    files: 'a'.repeat(64),
    repository: 'example',
    tag: 'latest',
  },
);

const specOf = (fields: object = {}) => {
  const document = JSON.stringify({ Entrypoint: ['/run'], Interface: { Socket: 'p.sock' }, ...fields });
  return pluginSpec(parseManifest(document, 'example'), directories, '/parent/a');
};

test('a plugin without privileges has default capabilities and its own network', async (t) => {
  const { linux, mounts, process } = await specOf({ Args: { Value: ['-v'] }, Env: [{ Name: 'A', Value: '1' }] });
  t.like(process, { args: ['/run', '-v'], cwd: '/', noNewPrivileges: true });
  t.true(process.env?.includes('A=1'));
  t.deepEqual(process.capabilities?.effective, defaultCapabilities);
  t.deepEqual(linux.maskedPaths, maskedPaths);
  t.deepEqual(linux.resources?.devices, [{ allow: false, access: 'rwm' }]);
  t.true(linux.namespaces.some(({ type }) => type === 'network'));
  t.deepEqual(
    mounts.filter(({ type }) => type === 'bind').map(({ destination }) => destination),
    ['/run/docker/plugins', '/run/docker/logging'],
  );
});

test('requested privileges are added, and a user other than root has no effective capability', async (t) => {
  const asks = { Capabilities: ['sys_admin'], Devices: [{ Path: '/dev/null' }] };
  const { linux, process } = await specOf({ PidHost: true, User: { UID: 7 }, Linux: asks, PropagatedMount: '/vol' });
  t.true(process.capabilities?.bounding?.includes('CAP_SYS_ADMIN'));
  t.deepEqual(process.capabilities?.effective, []);
  t.like(linux.devices?.[0], { type: 'c', path: '/dev/null', major: 1, minor: 3 });
  t.false(linux.namespaces.some(({ type }) => type === 'pid'));
  t.is(linux.rootfsPropagation, 'rshared');
});

test('unsupported requests are refused by name', async (t) => {
  await t.throwsAsync(specOf({ Network: { Type: 'bridge' } }), { message: /network type "bridge" of plugins/ });
  await t.throwsAsync(specOf({ Mounts: [{ Destination: '/x' }] }), { message: /mount at \/x has no source/ });
  await t.throwsAsync(specOf({ Linux: { Devices: [{ Path: '/dev/gone' }] } }), { message: /device \/dev\/gone/ });
});
