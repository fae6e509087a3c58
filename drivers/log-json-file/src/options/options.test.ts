import type { LogContainer } from '@gantry/core/contracts';
import { EngineError } from '@gantry/core/errors';
import { rotationOf } from '@gantry/lib-log/files';
import { attributesOf } from '@gantry/lib-log/options';
import test from 'ava';
import { attributesJson } from './attributes-json.js';
import { validateOptions } from './validate-options.js';

const config = { 'max-size': '100m', 'max-file': 3, compress: false };

const container: LogContainer = {
  id: 'f7c6f29e1e36'.padEnd(64, '0'),
  name: 'aa',
  imageId: `sha256:${'ab'.repeat(32)}`,
  imageName: 'busybox',
  command: ['/bin/sh', '-c', 'true'],
  createdAt: new Date(0),
  labels: { l: 'v', 'com.example.a': '1', 'com.example.b': '2' },
  env: ['A=1', 'B=<x=y>', 'NOVALUE'],
  options: {},
  directory: '/nowhere',
};

const refusals: readonly [options: Record<string, string>, message: RegExp][] = [
  [{ foo: '1' }, /^unknown log opt 'foo' for json-file log driver$/],
  [{ 'max-size': 'abc' }, /max-size: invalid size: 'abc'/],
  [{ 'max-size': '-5' }, /max-size: invalid size: '-5'/],
  [{ 'max-size': '0' }, /max-size must be a positive number/],
  [{ 'max-file': 'x' }, /max-file: "x"/],
  [{ 'max-file': '0' }, /max-file cannot be less than 1/],
  [{ compress: 'maybe' }, /compress: "maybe"/],
  [
    { compress: 'true', 'max-file': '1' },
    /^compress cannot be true when max-file is less than 2 or max-size is not set$/,
  ],
  [{ compress: 'true', 'max-size': '-1' }, /compress cannot be true/],
  [{ mode: 'x' }, /^logger: logging mode not supported: x$/],
  [{ 'max-buffer-size': '1m' }, /^logger: max-buffer-size option is only supported with 'mode=non-blocking'$/],
  [{ mode: 'non-blocking', 'max-buffer-size': 'x' }, /max-buffer-size: invalid size: 'x'/],
  [{ tag: '{{.Foo}}' }, /tag: can't evaluate ".Foo"/],
  [{ tag: 'a{{.ID' }, /tag: "a\{\{\.ID": unclosed action/],
  [{ 'labels-regex': '(' }, /labels-regex: error parsing regexp/],
];

for (const [options, message] of refusals) {
  test(`${JSON.stringify(options)} is refused by name`, (t) => {
    const error = t.throws(() => validateOptions(options, config), { message });
    t.true(EngineError.is(error) && error.kind === 'invalid-argument');
  });
}

test('what the reference takes is taken', (t) => {
  for (const options of [
    {},
    { 'max-file': '2' },
    { 'max-size': '1.5m' },
    { 'max-size': '-1' },
    { 'max-size': '10k', 'max-file': '5', compress: 'true' },
    { mode: 'non-blocking', 'max-buffer-size': '4m' },
    { labels: 'a,b', env: 'A', 'env-regex': '^A', 'labels-regex': 'x', tag: '{{.Name}}/{{ .ID }}' },
  ]) {
    t.notThrows(() => validateOptions(options, config), JSON.stringify(options));
  }
});

test('rotation is on unless it is turned off', (t) => {
  t.deepEqual(rotationOf({}, config), { maxSize: 100_000_000, maxFile: 3, compress: false });
  t.deepEqual(rotationOf({ 'max-size': '4k', 'max-file': '2' }, config), {
    maxSize: 4000,
    maxFile: 2,
    compress: false,
  });
  t.is(rotationOf({ 'max-size': '-1' }, { ...config, compress: true }).maxSize, Number.POSITIVE_INFINITY);
  t.false(rotationOf({ 'max-file': '1' }, { ...config, compress: true }).compress);
});

test('attributes are labels, variables and tag, sorted', (t) => {
  t.is(attributesOf(container), undefined);
  const options = { labels: 'l,absent', env: 'A,B,NOVALUE', tag: '{{.Name}}/{{.ID}}' };
  const attributes = attributesOf({ ...container, options }) ?? {};
  t.is(attributesJson(attributes), '{"A":"1","B":"\\u003cx=y\\u003e","l":"v","tag":"aa/f7c6f29e1e36"}');
  t.deepEqual(attributesOf({ ...container, options: { 'labels-regex': '^com\\.example\\.' } }), {
    'com.example.a': '1',
    'com.example.b': '2',
  });
});

test('a tag names what it is asked to', (t) => {
  const tag = (text: string) => attributesOf({ ...container, options: { tag: text } })?.tag;
  t.is(tag('plain'), 'plain');
  t.is(tag('{{.ImageName}} {{.ImageID}} {{.Command}}'), 'busybox abababababab /bin/sh -c true');
  t.is(tag('{{.FullID}}|{{.ImageFullID}}'), `${container.id}|${container.imageId}`);
});
