import test from 'ava';
import { parseManifest } from './manifest.js';
import { privilegesOf } from './privileges.js';

const parse = (fields: object) =>
  parseManifest(JSON.stringify({ Entrypoint: ['/run'], Interface: { Socket: 'p.sock' }, ...fields }), 'example');

test('a manifest is read in any case of its keys, and what it leaves out is filled in', (t) => {
  const manifest = parse({ WorkDir: '/data', Linux: { Capabilities: null, Devices: [{ Path: '/dev/fuse' }] } });
  t.like(manifest, { workdir: '/data', ipchost: false, user: { uid: 0, gid: 0 } });
  t.like(manifest.linux, { capabilities: [], devices: [{ path: '/dev/fuse' }] });
});

test('a manifest that no plugin can be run by is refused with its name and what is wrong', (t) => {
  const refused = (fields: object, message: RegExp) => t.throws(() => parse(fields), { message });
  t.throws(() => parseManifest('{', 'example'), { message: /plugin example is not JSON/ });
  refused({ Entrypoint: [] }, /plugin example has no entrypoint/);
  refused({ Interface: { Socket: '../up' } }, /no valid socket/);
  refused({ Mounts: [{ Type: 'cifs' }] }, /a mount of the type "cifs"/);
  refused({ User: { UID: -1 } }, /is wrong at \/user\/uid/);
});

test('what a plugin may do beyond its own files is told, and nothing else', (t) => {
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
