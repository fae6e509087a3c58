import test from 'ava';
import { IgnoreFile } from './ignore-file.js';

const out = (patterns: readonly string[], path: string): boolean => new IgnoreFile(patterns.join('\n')).leavesOut(path);

for (const [patterns, leftOut, kept] of [
  [['a'], ['a', 'a/b'], ['b/a', 'ab']],
  [['/a'], ['a'], ['b/a']],
  [['a/'], ['a', 'a/b'], []],
  [['*.md'], ['x.md'], ['d/x.md']],
  [['**/*.md'], ['x.md', 'd/x.md', 'd/e/x.md'], ['x.mdx']],
  [['**'], ['a', 'a/b'], []],
  [['a/**/z'], ['a/z', 'a/b/z', 'a/b/c/z'], ['z', 'a/zz']],
  [
    ['a?c', '[xy]z', '[^x]q'],
    ['abc', 'xz', 'aq'],
    ['ac', 'zz', 'xq'],
  ],
  [['*/t*'], ['d/tmp', 'd/tmp/x'], ['tmp', 'd/e/tmp']],
  [['*', '!keep'], ['a'], ['keep', 'keep/b']],
  [
    ['d', '!d/keep', 'd/keep/not'],
    ['d/a', 'd/keep/not'],
    ['d/keep', 'd/keep/b'],
  ],
  [['# note', '', '  a  ', '!'], ['a'], ['# note']],
  [['\\#x', 'a.b'], ['#x', 'a.b'], ['aXb']],
  [['./a/../b'], ['b'], ['a']],
  [['**/*a*/**/z?'], ['a/zx', 'q/bab/c/d/zy'], ['b/zx', 'a/c/z']],
] as const) {
  test(`${patterns.join(' ')} leaves out ${leftOut.join(' ')}`, (t) => {
    for (const path of leftOut) t.true(out(patterns, path), path);
    for (const path of kept) t.false(out(patterns, path), path);
  });
}

test('directories are removed as a whole where nothing in them stays', async (t) => {
  const file = new IgnoreFile('d\ne\n!e/keep\n');
  t.deepEqual(await file.removals(['', 'd', 'd/a', 'd/b/c', 'e', 'e/a', 'e/keep', 'f']), ['d', 'e/a']);
});

test('patterns made to take for ever do not', (t) => {
  t.false(out([`${'*a'.repeat(60)}b`, `${'**/a/'.repeat(60)}b`], 'a/'.repeat(2000)));
  t.true(out([`${'*a'.repeat(60)}`], 'a'.repeat(255)));
});

test('a pattern that cannot be read is refused', (t) => {
  t.throws(() => new IgnoreFile('[a'), { message: 'syntax error in pattern: [a' });
});
