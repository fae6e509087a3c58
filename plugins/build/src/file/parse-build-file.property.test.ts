import { fc, refusedOr } from '@gantry/property-testing';
import test from 'ava';
import { cleanPath, patternToExpression } from '../ignore/pattern.js';
import { expandWord, expandWords } from './expand.js';
import { keywords } from './instruction.js';
import { parseBuildFile } from './parse-build-file.js';

const signs = fc.constantFrom(
  '"',
  "'",
  '\\',
  '`',
  '$',
  '${',
  '}',
  '[',
  ']',
  ',',
  '=',
  '--',
  ':',
  '#',
  '\\\n',
  '\n',
  ' ',
  '*',
);
const text = fc.array(fc.oneof(signs, fc.string({ maxLength: 6 })), { maxLength: 12 }).map((parts) => parts.join(''));
const line = fc.tuple(fc.constantFrom(...keywords, 'from', 'NONE', '# escape=`'), text).map((parts) => parts.join(' '));
const file = fc.array(line, { maxLength: 12 }).map((lines) => ['FROM x', ...lines].join('\n'));

test('a file is read, or refused with a reason', (t) => {
  fc.assert(
    fc.property(fc.oneof(file, fc.string({ unit: 'binary' })), (source) => {
      const stages = refusedOr(() => parseBuildFile(source))?.stages ?? [];
      return stages.every(({ instructions }) => instructions.every(({ keyword }) => keywords.includes(keyword)));
    }),
  );
  t.pass();
});

test('words are expanded, or refused with a reason', (t) => {
  const lookup = (name: string): string | undefined => (name === 'A' ? 'a b' : undefined);
  const word = fc.array(fc.oneof(signs, fc.constantFrom('A', ':-', ':+', '$A', 'A:-$A}')), { maxLength: 10 });
  fc.assert(
    fc.property(word, fc.constantFrom('\\', '`'), (parts, escapeMark) => {
      refusedOr(() => expandWord(parts.join(''), lookup, escapeMark));
      refusedOr(() => expandWords(parts.join(''), lookup, escapeMark));
    }),
  );
  t.pass();
});

test('patterns are read or refused, and a name without signs matches itself alone', (t) => {
  const pattern = fc.array(fc.constantFrom('*', '**', '?', '[', ']', '-', '^', '!', '\\', '/', 'a', '.', '('), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(pattern, (parts) => {
      refusedOr(() => patternToExpression(parts.join('')))?.test('a/b');
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[^*?[\]\\]*$/), (name) => {
      const expression = patternToExpression(name);
      return expression.test(name) && !expression.test(`${name}x`);
    }),
  );
  t.pass();
});

test('no path leads out of the context', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('..', '.', '', 'a')),
      (parts) => !/^\/|(^|\/)\.\.?(\/|$)/.test(cleanPath(parts.join('/'))),
    ),
  );
  t.pass();
});
