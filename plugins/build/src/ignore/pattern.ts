import { posix } from 'node:path';
import { invalidArgument } from '@gantry/core/errors';

/** What names of files are held against. */
export interface PathPattern {
  /** Never in a time that explodes, whatever path and pattern are. */
  test(path: string): boolean;
}

/** One piece of a pattern: a single character, any number of them (`name` without slashes), or whole names. */
interface Piece {
  readonly kind: 'one' | 'name' | 'all' | 'names';
  readonly expression: string;
}

/** With more than these, an expression that goes back and tries again can take for ever. */
const mostOpenPieces = 2;

/**
 * A pattern of a path relative to the context: `*` and `?` within a name, `[a-z]`, and `**` for any number of names.
 * With `takesBelow` it fits what is below of what fits, too.
 * @throws EngineError `invalid-argument` for what is no pattern.
 */
export function patternToExpression(
  pattern: string,
  { takesBelow = false }: { readonly takesBelow?: boolean } = {},
): PathPattern {
  const pieces = piecesOf(pattern);
  try {
    const whole = new RegExp(
      `^${pieces.map(({ expression }) => expression).join('')}${takesBelow ? '(?:/.*)?' : ''}$`,
      's',
    );
    if (pieces.filter(({ kind }) => kind !== 'one').length <= mostOpenPieces) return whole;
    const fits = pieces.map(({ kind, expression }) => ({ kind, one: new RegExp(`^${expression}$`, 's') }));
    return { test: (path) => isMatch(fits, path, takesBelow) };
  } catch (cause) {
    throw invalidArgument(`syntax error in pattern: ${pattern}`, { cause });
  }
}

function piecesOf(pattern: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const one = (expression: string): void => void pieces.push({ kind: 'one', expression });
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '*' && pattern[at + 1] === '*') {
      at++;
      const isLast = at + 1 >= pattern.length;
      if (pattern[at + 1] === '/') at++;
      // Also no name at all, so that `**/x` is `x` too.
      pieces.push(isLast ? { kind: 'all', expression: '.*' } : { kind: 'names', expression: '(?:.*/)?' });
    } else if (character === '*') pieces.push({ kind: 'name', expression: '[^/]*' });
    else if (character === '?') one('[^/]');
    else if (character === '[') {
      const end = closingBracket(pattern, at);
      if (end < 0) throw invalidArgument(`syntax error in pattern: ${pattern}`);
      one(`[${pattern.slice(at + 1, end).replace(/^[!^]/, '^')}]`);
      at = end;
    } else if (character === '\\') {
      at++;
      if (at >= pattern.length) throw invalidArgument(`syntax error in pattern: ${pattern}`);
      one(literal(pattern[at] ?? ''));
    } else one(literal(character));
  }
  return pieces;
}

/** Goes through the path once, with all places of the pattern that what was read can have led to. */
function isMatch(
  pieces: readonly { readonly kind: Piece['kind']; readonly one: RegExp }[],
  path: string,
  takesBelow: boolean,
): boolean {
  /** What is negative stands within the whole names of that piece, which a slash alone leaves. */
  let places = new Set<number>();
  const enter = (into: Set<number>, place: number): void => {
    for (let at = place; !into.has(at); at++) {
      into.add(at);
      const kind = pieces[at]?.kind ?? 'one';
      if (kind === 'one') return;
      if (kind === 'names') into.add(-at - 1);
    }
  };
  enter(places, 0);
  for (const character of path.split('')) {
    if (takesBelow && character === '/' && places.has(pieces.length)) return true;
    const next = new Set<number>();
    for (const place of places) {
      const piece = pieces[place];
      if (place < 0) {
        next.add(place);
        if (character === '/') enter(next, -place);
      } else if (piece?.kind === 'one') {
        if (piece.one.test(character)) enter(next, place + 1);
      } else if (piece?.kind === 'all' || (piece?.kind === 'name' && character !== '/')) enter(next, place);
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(pieces.length);
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
