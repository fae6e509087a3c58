import { fc, refusedOr } from '@gantry/property-testing';
import test from 'ava';
import { formatReference, fullName, parseReference, tryParseReference } from './image-reference.js';

const part = fc.constantFrom(
  'a',
  'B',
  '0',
  '.',
  '..',
  '_',
  '__',
  '-',
  '/',
  ':',
  '@',
  'sha256:',
  'f'.repeat(64),
  '[',
  ']',
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
);

test('a parsed reference parses to itself again', (t) => {
  fc.assert(
    fc.property(text, (source) => {
      const reference = tryParseReference(source);
      if (refusedOr(() => parseReference(source)) === undefined) return true;
      if (reference === undefined) return false;
      const { repository, tag } = parseReference(formatReference(reference));
      return (
        repository === reference.repository && (reference.digest !== undefined || tag === (reference.tag ?? 'latest'))
      );
    }),
  );
  t.pass();
});

test('no component of a repository is a path out of a directory', (t) => {
  fc.assert(
    fc.property(text, (source) => {
      const repository = tryParseReference(source)?.repository ?? 'a';
      const paths = [repository, fullName(repository)];
      return paths.every((path) => !path.startsWith('/') && !path.split('/').some((name) => /^\.*$/.test(name)));
    }),
  );
  t.pass();
});

test('a long text is refused as a reference in linear time', (t) => {
  const began = performance.now();
  for (const unit of ['a', 'a-', 'a.', 'a_', 'a/', '-', 'a__', 'A', '1:']) {
    t.is(tryParseReference(`${unit.repeat(4000 / unit.length)}!`), undefined);
  }
  t.true(performance.now() - began < 5000);
});
