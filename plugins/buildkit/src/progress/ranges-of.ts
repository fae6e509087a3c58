import type { BuildFileLines } from '@gantry/build/service';
import type { SourceRange } from '../protocol/messages.js';

/** One for each line. */
export const rangesOf = ({ start, end }: BuildFileLines): readonly SourceRange[] =>
  Array.from({ length: end - start + 1 }, (_, index) => ({
    start: { line: start + index },
    end: { line: start + index },
  }));
