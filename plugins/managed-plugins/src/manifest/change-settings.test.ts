import { EngineError } from '@gantry/core/errors';
import test from 'ava';
import { changeSettings } from './change-settings.js';
import { parseManifest } from './parse-manifest.js';

const manifest = parseManifest(
  JSON.stringify({
    interface: { socket: 'p.sock', types: ['docker.volumedriver/1.0'] },
    entrypoint: ['/bin/plugin'],
    env: [
      { name: 'DEBUG', value: '0', settable: ['value'] },
      { name: 'FIXED', value: '1' },
    ],
    args: { name: 'args', value: ['x'], settable: ['value'] },
    mounts: [
      { name: 'data', source: '/tmp', destination: '/data', type: 'bind', options: ['rbind'], settable: ['source'] },
    ],
    linux: { devices: [{ name: 'disk', path: '/dev/null', settable: ['path'] }] },
  }),
  'example',
);

test('what a plugin lets operators set gets other values, the rest stays', (t) => {
  const changed = changeSettings(manifest, ['DEBUG=a=b', 'data.source=/var', 'disk=/dev/zero', 'args= one  two ']);
  t.deepEqual(changed.env, [
    { name: 'DEBUG', description: '', value: 'a=b', settable: ['value'] },
    { name: 'FIXED', description: '', value: '1', settable: [] },
  ]);
  t.like(changed.mounts, [{ source: '/var', destination: '/data', options: ['rbind'] }]);
  t.like(changed.linux.devices, [{ path: '/dev/zero' }]);
  t.deepEqual(changed.args.value, ['one', 'two']);
  t.is(changeSettings(manifest, ['DEBUG']).env[0]?.value, '');
  t.is(manifest.env[0]?.value, '0');
});

for (const [setting, words] of [
  ['FIXED=2', '"FIXED" is not settable'],
  ['data.options=ro', '"data.options" is not settable'],
  ['absent=1', 'setting "absent" not found in the plugin configuration'],
  ['=1', '"=1" is not a setting such as NAME=value'],
] as const) {
  test(`the setting ${setting} is refused`, (t) => {
    const error = t.throws(() => changeSettings(manifest, ['DEBUG=1', setting]), { message: words });
    t.true(EngineError.is(error) && error.kind === 'invalid-argument');
  });
}
