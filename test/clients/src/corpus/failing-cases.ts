import { corpusCase as of } from './corpus-case.js';

/** Builds that fail, with an error that names the cause. */
export const failingCases = [
  of('a failing program', 'FROM busybox\nRUN exit 3\n'),
  of('a file that is absent', 'FROM busybox\nCOPY absent /\n'),
  of('a file that is excluded', 'FROM busybox\nCOPY secret /\n', { '.dockerignore': 'secret\n', secret: 's' }),
  of('a file outside of the context', 'FROM busybox\nCOPY ../f /\n', { f: 'f' }),
  of('an unknown instruction', 'FROM busybox\nFETCH x\n'),
  of('a stage that is absent', 'FROM busybox\nCOPY --from=nowhere.invalid/x:1 /f /\n'),
  of('a target that is absent', 'FROM busybox\n', {}, ['--target', 'nowhere']),
  of('an empty file', '\n'),
  of('an instruction before FROM', 'RUN echo\nFROM busybox\n'),
  of('a command that is no list', 'FROM busybox\nSHELL /bin/sh\n'),
  of('a flag that is unknown', 'FROM busybox\nCOPY --nonsense=1 f /f\n', { f: 'f' }),
  of('several sources for a file', 'FROM busybox\nCOPY a b /f\n', { a: 'a', b: 'b' }),
];
