import test from 'ava';
import { parseVolumeOptions, toMountRequest } from './options.js';

test('without options a volume is a plain directory', (t) => {
  t.is(parseVolumeOptions({}), undefined);
});

test('a tmpfs keeps its size and its flags apart', (t) => {
  const described = parseVolumeOptions({ type: 'tmpfs', device: 'tmpfs', o: 'size=1m,ro' });
  if (described === undefined) return t.fail();
  t.like(toMountRequest(described, '/x'), {
    bind: false,
    type: 'tmpfs',
    source: 'tmpfs',
    flags: ['ro'],
    data: 'size=1m',
  });
});

test('a bind is known by its option', (t) => {
  const described = parseVolumeOptions({ type: 'none', device: '/srv', o: 'bind,ro' });
  if (described === undefined) return t.fail();
  t.like(toMountRequest(described, '/x'), { bind: true, source: '/srv', flags: ['ro'] });
});

test('wrong options are named', (t) => {
  t.throws(() => parseVolumeOptions({ foo: '1' }), { message: 'invalid option: "foo"' });
  t.throws(() => parseVolumeOptions({ type: 'tmpfs' }), { message: /missing device/ });
  t.throws(() => parseVolumeOptions({ device: '/dev/x' }), { message: /missing type/ });
  t.throws(() => parseVolumeOptions({ type: 'bind', device: 'relative' }), {
    message: /"relative" of a bind is not an absolute path/,
  });
});
