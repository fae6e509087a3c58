import test from 'ava';
import { parseBuildFile } from './parse-build-file.js';

const instructionsOf = (text: string) => parseBuildFile(`FROM x\n${text}`).stages[0]?.instructions ?? [];

test('heredocs belong to the instruction before them, and nothing in them is an instruction', (t) => {
  const [run, copy, last] = instructionsOf(
    'RUN <<EOF\n# no comment\nUSER a\n\nEOF\nCOPY <<-"A" <<B /d/\n\ttext $x\n\tA\nmore\nB\nUSER b\n',
  );
  t.deepEqual(run?.heredocs, [
    {
      word: '<<EOF',
      name: 'EOF',
      content: '# no comment\nUSER a\n\n',
      written: '# no comment\nUSER a\n\nEOF',
      expands: true,
    },
  ]);
  t.deepEqual(
    copy?.heredocs.map(({ name, content, expands }) => [name, content, expands]),
    [
      ['A', 'text $x\n', false],
      ['B', 'more\n', true],
    ],
  );
  t.is(last?.text, 'USER b');
});

test('signs of a shell are not heredocs, nor are other instructions', (t) => {
  t.deepEqual(
    instructionsOf('RUN cat <<<word\nLABEL a=<<EOF\nRUN echo "<<EOF"\n').map(({ heredocs }) => heredocs.length),
    [0, 0, 0],
  );
});

test('a heredoc that does not end, and one behind ONBUILD, are refused with their line', (t) => {
  t.throws(() => instructionsOf('RUN <<EOF\ntext\n'), {
    message: 'dockerfile parse error line 2: unterminated heredoc EOF',
  });
  t.throws(() => instructionsOf('ONBUILD RUN <<EOF\ntext\nEOF\n'), { message: /ONBUILD does not take a heredoc/ });
});
