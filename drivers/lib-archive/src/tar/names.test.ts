import test from 'ava';
import { joined, lastOf, normalise, parentOf } from './names.js';

test('every name becomes a path inside the root', (t) => {
  const cases = {
    'a/b': 'a/b',
    'a/b/': 'a/b',
    '/a': 'a',
    './a': 'a',
    'a//b': 'a/b',
    'a/./b': 'a/b',
    'a/../b': 'b',
    '../../a': 'a',
    '/../..': '',
    '.': '',
    './': '',
    '': '',
    '...': '...',
    '.hidden': '.hidden',
    'a/..b/c': 'a/..b/c',
    'a/..': '',
  };
  for (const [name, path] of Object.entries(cases)) t.is(normalise(name), path, name);
});

test('paths are split and joined', (t) => {
  t.is(parentOf('a/b/c'), 'a/b');
  t.is(parentOf('a'), '');
  t.is(lastOf('a/b'), 'b');
  t.is(lastOf('a'), 'a');
  t.is(joined('', 'a'), 'a');
  t.is(joined('a', 'b'), 'a/b');
});
