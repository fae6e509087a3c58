import test from 'ava';
import { parseBuildFile } from './parse-build-file.js';

const wordsOf = (source: string) => parseBuildFile(`FROM x\n${source}`).stages[0]?.instructions[0]?.words;
const messageOf = (source: string): string => {
  try {
    parseBuildFile(source);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('lines continue over comments and empty lines, and know where they begin', (t) => {
  const { stages, emptyContinuations } = parseBuildFile(
    '\uFEFF# note\nFROM x\n\nRUN a \\\n  # inside\n  b \\\n\n c\nUSER d\n',
  );
  t.deepEqual(
    stages[0]?.instructions.map(({ text, line }) => [text, line]),
    [
      ['RUN a   b  c', 4],
      ['USER d', 9],
    ],
  );
  t.deepEqual(emptyContinuations, ['RUN a   b  c']);
});

test('a directive makes the backtick continue lines', (t) => {
  const { stages, escapeMark } = parseBuildFile('# escape=`\nfrom x\nRUN a `\n b\\\nUSER c');
  t.is(escapeMark, '`');
  t.deepEqual(
    stages[0]?.instructions.map(({ text }) => text),
    ['RUN a  b\\', 'USER c'],
  );
  t.regex(messageOf('# escape=x\nFROM y'), /invalid escape token 'x'/);
});

test('a list is exactly what JSON says, and anything else a line', (t) => {
  t.deepEqual(wordsOf('CMD ["a b", "c\\"d"]'), ['a b', 'c"d']);
  t.deepEqual(wordsOf("CMD ['a']"), ["['a']"]);
  t.deepEqual(wordsOf('COPY ["a b","/c d/"]'), ['a b', '/c d/']);
});

test('flags are taken out of quotes, and end at two hyphens', (t) => {
  const [first, second] = parseBuildFile('FROM x\nCOPY --chown="a b" --from= f\\ g /\nRUN -- --x').stages[0]!
    .instructions;
  t.deepEqual(
    [...first!.flags],
    [
      ['chown', 'a b'],
      ['from', ''],
    ],
  );
  t.is(first!.rest, 'f\\ g /');
  t.is(second!.rest, '--x');
});

test('stages have names and bases, and arguments come before', (t) => {
  const file = parseBuildFile('ARG V=1\nFROM a:$V AS One\nRUN x\nFROM one\n');
  t.deepEqual(
    file.globals.map(({ rest }) => rest),
    ['V=1'],
  );
  t.deepEqual(
    file.stages.map(({ name, base }) => [name, base]),
    [
      ['one', 'a:$V'],
      [undefined, 'one'],
    ],
  );
});

for (const [source, message] of [
  ['FROM x\nNOSUCH y', 'dockerfile parse error line 2: unknown instruction: NOSUCH'],
  ['RUN x', 'dockerfile parse error line 1: no build stage in current context'],
  ['', 'the Dockerfile (Dockerfile) cannot be empty'],
  ['# nothing\n', 'failed to parse Dockerfile (Dockerfile): file with no instructions'],
  ['FROM', 'dockerfile parse error line 1: FROM requires either one or three arguments'],
  ['FROM x\n\nCOPY a', /^dockerfile parse error line 3: COPY requires at least two arguments, but only one/],
  ['FROM x\nENV a', 'dockerfile parse error line 2: ENV must have two arguments'],
  ['FROM x\nENV a=1 b', /Syntax error - can't find = in "b"/],
  ['FROM x\nONBUILD ONBUILD RUN y', /Chaining ONBUILD via `ONBUILD ONBUILD` isn't allowed/],
  ['FROM x\nONBUILD FROM y', /FROM isn't allowed as an ONBUILD trigger/],
  ['FROM x\nONBUILD NOSUCH', /line 2: unknown instruction: NOSUCH/],
  ['FROM x\nADD --foo=1 a b', /unknown flag: --foo/],
  ['FROM x\nENV --foo=1 a=b', 'dockerfile parse error line 2: unknown flag: --foo'],
  ['FROM x\nCOPY --chown=1 --chown=2 a b', 'dockerfile parse error line 2: duplicate flag specified: --chown'],
  ['FROM x\nCOPY --from a b', 'dockerfile parse error line 2: missing a value on flag: --from'],
  ['FROM x\nSHELL []', 'dockerfile parse error line 2: SHELL requires at least one argument'],
  ['FROM x\nHEALTHCHECK --interval=0s CMD y', /line 2: .* cannot be less than 1ms/],
  ['FROM x\nHEALTHCHECK --retries=0 CMD y', 'dockerfile parse error line 2: --retries must be at least 1 (not 0)'],
  ['FROM x\nHEALTHCHECK NONE y', 'dockerfile parse error line 2: HEALTHCHECK NONE takes no arguments'],
  ['FROM x\nHEALTHCHECK CMD []', 'dockerfile parse error line 2: Missing command after HEALTHCHECK CMD'],
  ['FROM x\nRUN --mount=type=cache y', /RUN --mount=type=cache requires a target/],
  ['FROM x\nSHELL sh', /requires the arguments to be in JSON form/],
  ['FROM x\nHEALTHCHECK foo', /Unknown type "foo" in HEALTHCHECK/],
  [
    `FROM x\nRUN ${'y'.repeat(70_000)}`,
    /^dockerfile parse error line 2: dockerfile line greater than maximum allowed size/,
  ],
  ['FROM x\n'.repeat(2001), /more than 2000 instructions/],
] as const) {
  test(`${JSON.stringify(source).slice(0, 60)} is refused before anything runs`, (t) => {
    if (typeof message === 'string') t.is(messageOf(source), message);
    else t.regex(messageOf(source), message);
  });
}
