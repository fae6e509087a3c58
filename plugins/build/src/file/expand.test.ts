// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what is tested
import test from 'ava';
import { expandWord, expandWords } from './expand.js';

const values: Readonly<Record<string, string>> = { A: 'x', B: 'two words', EMPTY: '', PATH: '/bin' };
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

for (const word of ['${A', '${A:!x}', "'a", '"a', '${NO:?it is missing}', '${}']) {
  test(`${word} is refused`, (t) => {
    t.throws(() => expandWord(word, lookup, '\\'), { message: /failed to process/ });
  });
}

test('what grows without bounds, or nests without end, is refused', (t) => {
  const large = (name: string): string => name.repeat(100_000);
  t.throws(() => expandWord('$A$A$A', large, '\\'), { message: /becomes longer than 262144 characters/ });
  t.throws(() => expandWord('${N:-'.repeat(100_000), lookup, '\\'), { message: /more than 50 substitutions/ });
});
