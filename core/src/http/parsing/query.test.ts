import { Type } from '@sinclair/typebox';
import test from 'ava';
import { Filters } from './filters.js';
import { Query } from './query.js';

test('booleans are read as clients write them', (t) => {
  for (const text of ['1', 'true', 'True', 'yes']) t.true(new Query(`all=${text}`).boolean('all'), text);
  for (const text of ['0', 'false', 'False', 'no', 'none', ''])
    t.false(new Query(`all=${text}`).boolean('all', true), text);
  t.false(new Query('').boolean('all'));
  t.true(new Query('').boolean('stream', true));
  t.false(new Query('stream').boolean('stream', true));
});

test('integers are read whole or refused by name', (t) => {
  t.is(new Query('t=10').integer('t'), 10);
  t.is(new Query('t=-1').integer('t'), -1);
  t.is(new Query('t=').integer('t'), undefined);
  t.is(new Query('').integer('t'), undefined);
  for (const text of ['x', '1.5', '1e3', '0x10', '10s', '99999999999999999999']) {
    t.throws(() => new Query(`t=${text}`).integer('t'), { message: `t: "${text}" is not an integer` });
  }
  t.throws(() => new Query('h=0').integer('h', { min: 1, max: 9 }), {
    message: 'h: "0" is not an integer from 1 to 9',
  });
});

test('a parameter with few values is one of them, absent, or refused by name', (t) => {
  t.is(new Query('a=x').oneOf('a', ['x', 'y']), 'x');
  t.is(new Query('a=').oneOf('a', ['x', 'y']), undefined);
  t.is(new Query('').oneOf('a', ['x', 'y']), undefined);
  t.throws(() => new Query('a=z').oneOf('a', ['x', 'y']), { message: 'a: "z" is none of x, y' });
});

test('the version of an update is required, and not negative', (t) => {
  t.is(new Query('version=7').version('node'), 7);
  t.throws(() => new Query('').version('node'), { message: 'version: the version of the node to update is missing' });
  t.throws(() => new Query('version=-1').version('node'), { message: 'version: "-1" is not an integer from 0' });
});

test('the first of repeated parameters counts, or all of them', (t) => {
  const query = new Query('t=a%3Ab&t=c+d&names=x');
  t.is(query.string('t'), 'a:b');
  t.deepEqual(query.all('t'), ['a:b', 'c d']);
  t.deepEqual(query.all('absent'), []);
  t.is(query.string('__proto__'), undefined);
});

test('a hook moves parameters', (t) => {
  const query = new Query('dockerfile=D&x=1');
  query.rename('dockerfile', 'buildfile');
  query.set('x', []);
  t.is(query.string('buildfile'), 'D');
  t.false(query.has('dockerfile') || query.has('x'));
});

test('JSON in a parameter is decoded, and refused by name', (t) => {
  const map = Type.Record(Type.String(), Type.String());
  t.deepEqual(new Query('buildargs=%7B%22A%22%3A%22b%22%7D').json('buildargs', map), { A: 'b' });
  t.is(new Query('buildargs=').json('buildargs', map), undefined);
  t.is(new Query('ulimits=null').json('ulimits', map), undefined);
  t.throws(() => new Query('buildargs=%7B').json('buildargs', map), { message: /^buildargs: "\{" is not JSON: / });
  t.throws(() => new Query('buildargs=[]').json('buildargs', map), { message: 'buildargs: [] is not a map of string' });
});

test('filters come as lists or as maps', (t) => {
  const allowed = ['label', 'status', 'dangling'];
  for (const text of ['{"label":["a","b=c"],"status":["x"]}', '{"label":{"a":true,"b=c":true},"status":{"x":true}}']) {
    const filters = Filters.parse(text, allowed);
    t.deepEqual(filters.get('label'), ['a', 'b=c']);
    t.deepEqual(filters.keys, ['label', 'status']);
    t.true(filters.matches('status', 'x'));
    t.false(filters.matches('status', 'y'));
    t.true(filters.matches('dangling', 'anything'));
  }
  for (const text of [undefined, '', '{}', 'null', '{"label":[]}', '{"label":null}']) {
    t.true(Filters.parse(text, allowed).isEmpty, text);
  }
});

test('filters that cannot be meant are refused', (t) => {
  for (const text of ['{bad', '["x"]', '"x"', '5', '{"label":"a"}', '{"label":[1]}', '{"label":{"a":"b"}}']) {
    t.throws(() => Filters.parse(text, ['label']), { message: /^filters: .* is not a JSON map of lists/ }, text);
  }
  t.throws(() => Filters.parse('{"foo":["x"]}', ['label']), { message: "Invalid filter 'foo'" });
  t.throws(() => Filters.parse('{"__proto__":["x"]}', ['label']), { message: "Invalid filter '__proto__'" });
});

test('labels match by key, or by key and value, all of them', (t) => {
  const filters = Filters.parse('{"label":["a","b=c=d"]}', ['label']);
  t.true(filters.matchesLabels({ a: '', b: 'c=d' }));
  t.false(filters.matchesLabels({ a: '', b: 'c' }));
  t.false(filters.matchesLabels({ b: 'c=d' }));
  t.false(filters.matchesLabels(undefined));
  t.true(Filters.none.matchesLabels(undefined));
  t.false(Filters.parse('{"label":["toString"]}', ['label']).matchesLabels({}));
});

test('filters for truth and for words of a list', (t) => {
  const filters = (text: string) => Filters.parse(text, ['dangling', 'type']);
  t.true(filters('{"dangling":["1"]}').boolean('dangling'));
  t.false(filters('{"dangling":["false"]}').boolean('dangling'));
  t.is(filters('{}').boolean('dangling'), undefined);
  t.throws(() => filters('{"dangling":["x"]}').boolean('dangling'), { message: "Invalid filter 'dangling=x'" });
  t.throws(() => filters('{"dangling":["1","0"]}').boolean('dangling'));
  t.deepEqual(filters('{"type":["custom"]}').oneOf('type', ['custom', 'builtin']), ['custom']);
  t.throws(() => filters('{"type":["x"]}').oneOf('type', ['custom']), { message: "Invalid filter 'type=x'" });
});
