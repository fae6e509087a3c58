// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what is tested
import test from 'ava';
import { expandWord, expandWords } from './expand.js';

const values: Readonly<Record<string, string>> = {
  A: 'x',
  B: 'two words',
  EMPTY: '',
  PATH: '/bin',
  FILE: 'a/b/c.tar.gz',
  STAR: '*b',
};
const lookup = (name: string): string | undefined => values[name];

for (const [word, expected] of [
  ['$A', 'x'],
  ['${A}b', 'xb'],
  ['$Ab-$A', '-x'],
  ['"$B"', 'two words'],
  ["'$A'", '$A'],
  ['\\$A', '$A'],
  ['"a \\"$A\\" \\n"', 'a "x" \\n'],
  ['a\\ b', 'a b'],
  ['${NO:-def}', 'def'],
  ['${NO:-$A${B}}', 'xtwo words'],
  ['${EMPTY:-def}', 'def'],
  ['${EMPTY-def}', ''],
  ['${A:-def}', 'x'],
  ['${A:+set}', 'set'],
  ['${NO:+set}', ''],
  ['${NO}', ''],
  ['$', '$'],
  ['a$/b', 'a$/b'],
  ['a$$b', 'ab'],
  ['$12x$?', 'x'],
  ['/new:$PATH', '/new:/bin'],
  ['${FILE#*/}', 'b/c.tar.gz'],
  ['${FILE##*/}', 'c.tar.gz'],
  ['${FILE%.*}', 'a/b/c.tar'],
  ['${FILE%%.*}', 'a/b/c'],
  ['${FILE#x}', 'a/b/c.tar.gz'],
  ['${FILE%.?z}', 'a/b/c.tar'],
  ['${FILE/\\//-}', 'a-b/c.tar.gz'],
  ['${FILE//\\//-}', 'a-b-c.tar.gz'],
  ['${FILE//[abc]/x}', 'a/b/c.tar.gz'],
  ['${FILE/b*/$A}', 'a/x'],
  ['${STAR#\\*}', 'b'],
  ['${NO#x}', ''],
] as const) {
  test(`${word} becomes ${expected === '' ? 'nothing' : expected}`, (t) => {
    t.is(expandWord(word, lookup, '\\'), expected);
  });
}

test('the backtick can be what escapes', (t) => {
  t.is(expandWord('C:\\$A`$A', lookup, '`'), 'C:\\x$A');
});

test('what a variable holds can be several words', (t) => {
  t.deepEqual(expandWords('$B', lookup, '\\'), ['two', 'words']);
});

for (const word of ['${A:#x}', '${A', '${A:!x}', "'a", '"a', '${NO:?it is missing}', '${}']) {
  test(`${word} is refused`, (t) => {
    t.throws(() => expandWord(word, lookup, '\\'), { message: /failed to process/ });
  });
}

test('what grows without bounds, or nests without end, is refused', (t) => {
  const large = (name: string): string => name.repeat(100_000);
  t.throws(() => expandWord('$A$A$A', large, '\\'), { message: /becomes longer than 262144 characters/ });
  t.throws(() => expandWord('${N:-'.repeat(100_000), lookup, '\\'), { message: /more than 50 substitutions/ });
});

test('a pattern is matched without backtracking, and not without end', (t) => {
  const long = (): string => 'a'.repeat(60_000);
  t.is(expandWord(`\${A#${'*a'.repeat(50)}b}`, long, '\\').length, 60_000);
  t.throws(() => expandWord('${A//a*b/}', long, '\\'), { message: /takes too long to match/ });
});
