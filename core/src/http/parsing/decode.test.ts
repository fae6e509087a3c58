import { type TSchema, Type } from '@sinclair/typebox';
import test from 'ava';
import { EngineError } from '../../errors/engine-error.js';
import { decode } from './decode.js';

const schema = Type.Object({
  Image: Type.String({ minLength: 1 }),
  Cmd: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  Labels: Type.Record(Type.String(), Type.String(), { default: {} }),
  ExposedPorts: Type.Optional(Type.Record(Type.String(), Type.Object({}))),
  StopSignal: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  HostConfig: Type.Optional(
    Type.Object({
      Memory: Type.Integer({ default: 0, minimum: 0 }),
      MemorySwappiness: Type.Optional(Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 100 })])),
      PortBindings: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Object({ HostPort: Type.String() })))),
      Privileged: Type.Boolean({ default: false }),
      Isolation: Type.Optional(Type.Union([Type.Literal('default'), Type.Literal('process')])),
    }),
  ),
  Anything: Type.Optional(Type.Unknown()),
});

const refusal = (value: unknown, of: TSchema = schema): string => {
  try {
    decode(of, value);
  } catch (error) {
    if (EngineError.is(error) && error.kind === 'invalid-argument') return error.message;
    throw error;
  }
  return 'nothing wrong';
};

test('keys match whatever their case, and come out as declared', (t) => {
  t.deepEqual(decode(schema, { image: 'a', HOSTCONFIG: { memory: 1 } }), {
    Image: 'a',
    HostConfig: { Memory: 1, Privileged: false },
    Labels: {},
  });
});

test('null leaves a field out, and unknown keys are ignored', (t) => {
  t.deepEqual(decode(schema, { Image: 'a', Cmd: null, Labels: null, Unknown: { deep: 1 } }), {
    Image: 'a',
    Labels: {},
  });
});

test('null stays where the schema knows it', (t) => {
  t.deepEqual(decode(schema, { Image: 'a', HostConfig: { MemorySwappiness: null } }).HostConfig, {
    MemorySwappiness: null,
    Memory: 0,
    Privileged: false,
  });
});

test('null inside a map or a list is the empty value', (t) => {
  const given = { Image: 'a', ExposedPorts: { '80/tcp': null }, HostConfig: { PortBindings: { '80/tcp': null } } };
  const decoded = decode(schema, given);
  t.deepEqual(decoded.ExposedPorts, { '80/tcp': {} });
  t.deepEqual(decoded.HostConfig?.PortBindings, { '80/tcp': [] });
  t.deepEqual(decode(Type.Array(Type.String()), ['a', null]), ['a', '']);
});

test('one of several types is taken', (t) => {
  t.is(decode(schema, { Image: 'a', Cmd: 'ls -l' }).Cmd, 'ls -l');
  t.deepEqual(decode(schema, { Image: 'a', Cmd: ['ls', '-l'] }).Cmd, ['ls', '-l']);
  t.is(decode(schema, { Image: 'a', StopSignal: 9 }).StopSignal, 9);
});

test('defaults are copies', (t) => {
  const first = decode(schema, { Image: 'a' });
  first.Labels.changed = 'yes';
  t.deepEqual(decode(schema, { Image: 'a' }).Labels, {});
});

test('keys that are special to the language are keys like any other', (t) => {
  const given = JSON.parse(
    '{"Image":"a","__proto__":{"Cmd":"x"},"Labels":{"__proto__":"p","constructor":"c"}}',
  ) as object;
  const decoded = decode(schema, given);
  t.is(Object.getPrototypeOf(decoded), Object.prototype);
  t.is(decoded.Cmd, undefined);
  t.deepEqual(Object.entries(decoded.Labels), [
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ]);
});

for (const [given, message] of [
  [{ Image: 'a', HostConfig: { Memory: 'abc' } }, 'HostConfig.Memory: "abc" is not an integer of at least 0'],
  [{ Image: 'a', hostconfig: { memory: 1.5 } }, 'HostConfig.Memory: 1.5 is not an integer of at least 0'],
  [
    { Image: 'a', HostConfig: { MemorySwappiness: 101 } },
    'HostConfig.MemorySwappiness: 101 is not an integer from 0 to 100',
  ],
  [{ Image: 'a', HostConfig: [] }, 'HostConfig: [] is not an object'],
  [{ Image: 'a', HostConfig: { Privileged: 'yes' } }, 'HostConfig.Privileged: "yes" is not a boolean'],
  [{ Image: 'a', HostConfig: { Isolation: 'x' } }, 'HostConfig.Isolation: "x" is not "default" or "process"'],
  [
    { Image: 'a', HostConfig: { PortBindings: { '80/tcp': [{ HostPort: 80 }] } } },
    'HostConfig.PortBindings["80/tcp"][0].HostPort: 80 is not a string',
  ],
  [{ Image: 'a', Cmd: 5 }, 'Cmd: 5 is not a string or array of string'],
  [{ Image: 'a', Cmd: ['a', 5] }, 'Cmd[1]: 5 is not a string'],
  [{ Image: 'a', Labels: ['x'] }, 'Labels: ["x"] is not a map of string'],
  [{ Image: '' }, 'Image: "" is not a string of at least 1 characters'],
  [{ Cmd: 'x' }, 'Image: is required'],
  [7, 'the value: 7 is not an object'],
] as const) {
  test(`refused: ${message}`, (t) => {
    t.is(refusal(given), message);
  });
}

test('a long value is shown in part', (t) => {
  t.true(refusal({ Image: ['x'.repeat(1000)] }).length < 150);
});

test('anything passes where the schema does not care', (t) => {
  t.deepEqual(decode(schema, { Image: 'a', Anything: [{ Deep: null }] }).Anything, [{ Deep: null }]);
});
