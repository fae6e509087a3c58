import test from 'ava';
import { mergeConfig, ownConfig } from './merge-config.js';

test('an empty body is no configuration', (t) => {
  t.is(ownConfig(undefined), undefined);
  t.is(ownConfig({}), undefined);
  t.deepEqual(ownConfig({ Cmd: 'sh' }), { Cmd: ['sh'] });
});

test("the client's values take precedence over the container's", (t) => {
  const container = {
    Env: ['A=1', 'B=2'],
    Cmd: ['old'],
    User: '4',
    Labels: { a: 'x', b: 'y' },
    ExposedPorts: { '1/tcp': {} },
    WorkingDir: '/w',
  };
  const own = { Env: ['B=3'], Labels: { b: 'z' }, ExposedPorts: { '2/udp': {} }, WorkingDir: '/own' };
  t.deepEqual(mergeConfig(own, container), {
    Env: ['B=3', 'A=1'],
    Cmd: ['old'],
    User: '4',
    Labels: { a: 'x', b: 'z' },
    ExposedPorts: { '1/tcp': {}, '2/udp': {} },
    WorkingDir: '/own',
  });
});

test("an entrypoint of the client's replaces the container's command", (t) => {
  const merged = mergeConfig({ Entrypoint: ['own'] }, { Cmd: ['old'], Entrypoint: ['entry'] });
  t.deepEqual([merged.Entrypoint, merged.Cmd], [['own'], undefined]);
});
