import { posix } from 'node:path';
import { invalidArgument } from '@gantry/core/errors';

/** A pattern of a path relative to the context: `*` and `?` within a name, `[a-z]`, and `**` for any number of names. */
export function patternToExpression(pattern: string): RegExp {
  let expression = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '*' && pattern[at + 1] === '*') {
      at++;
      const isLast = at + 1 >= pattern.length;
      if (pattern[at + 1] === '/') at++;
      // Also no name at all, so that `**/x` is `x` too.
      expression += isLast ? '.*' : '(?:.*/)?';
    } else if (character === '*') expression += '[^/]*';
    else if (character === '?') expression += '[^/]';
    else if (character === '[') {
      const end = closingBracket(pattern, at);
      if (end < 0) throw invalidArgument(`syntax error in pattern: ${pattern}`);
      expression += `[${pattern.slice(at + 1, end).replace(/^[!^]/, '^')}]`;
      at = end;
    } else if (character === '\\') {
      at++;
      if (at >= pattern.length) throw invalidArgument(`syntax error in pattern: ${pattern}`);
      expression += literal(pattern[at] ?? '');
    } else expression += literal(character);
  }
  try {
    return new RegExp(`^${expression}$`, 's');
  } catch (cause) {
    throw invalidArgument(`syntax error in pattern: ${pattern}`, { cause });
  }
}

function closingBracket(pattern: string, open: number): number {
  for (let at = open + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']' && at > open + 1) return at;
  }
  return -1;
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Whether a source of COPY or ADD names several files. */
export const hasWildcard = (path: string): boolean => /[*?[]/.test(path);

/** A path relative to the root, without `.` and doubled slashes; `..` does not lead above the root. */
export const cleanPath = (path: string): string => posix.normalize(`/${path}`).replace(/^\/+|\/+$/g, '');
