import test from 'ava';
import { parseManifest } from './parse-manifest.js';
import { privilegesOf } from './privileges.js';

const parse = (fields: object) =>
  parseManifest(JSON.stringify({ Entrypoint: ['/run'], Interface: { Socket: 'p.sock' }, ...fields }), 'example');

test('a manifest is parsed with keys in any case, and defaults for absent fields', (t) => {
  const manifest = parse({ WorkDir: '/data', Linux: { Capabilities: null, Devices: [{ Path: '/dev/fuse' }] } });
  t.like(manifest, { workdir: '/data', ipchost: false, user: { uid: 0, gid: 0 } });
  t.like(manifest.linux, { capabilities: [], devices: [{ path: '/dev/fuse' }] });
});

test('an invalid manifest is refused with its name and the reason', (t) => {
  const refused = (fields: object, message: RegExp) => t.throws(() => parse(fields), { message });
  t.throws(() => parseManifest('{', 'example'), { message: /plugin example is not JSON/ });
  refused({ Entrypoint: [] }, /plugin example has no entrypoint/);
  refused({ Interface: { Socket: '../up' } }, /no valid socket/);
  refused({ Mounts: [{ Type: 'cifs' }] }, /a mount of the type "cifs"/);
  refused({ User: { UID: -1 } }, /is wrong at \/user\/uid/);
});

test('the privileges are exactly what the manifest asks for', (t) => {
  t.deepEqual(privilegesOf(parse({ Network: { Type: 'none' } })), []);
  const asks = {
    Network: { Type: 'host' },
    PidHost: true,
    Mounts: [
      { Source: '/srv', Destination: '/srv' },
      { Type: 'tmpfs', Destination: '/tmp' },
    ],
    Linux: { Capabilities: ['CAP_SYS_ADMIN'] },
  };
  t.deepEqual(
    privilegesOf(parse(asks)).map(({ Name, Value }) => [Name, ...Value]),
    [
      ['network', 'host'],
      ['host pid namespace', 'true'],
      ['mount', '/srv'],
      ['capabilities', 'CAP_SYS_ADMIN'],
    ],
  );
});
