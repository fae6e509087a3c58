import { invalidArgument } from '@gantry/core/errors';

type Piece = 'any' | 'many' | { readonly literal: string };

/** Most comparisons of a character with a part of a pattern, for one substitution. */
const mostComparisons = 10_000_000;

/** A pattern of `${x#...}` and the like: `*`, `?`, and a backslash in front of what means itself. */
export class ShellPattern {
  readonly #pieces: readonly Piece[];
  #comparisons = 0;

  constructor(text: string) {
    const pieces: Piece[] = [];
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? '';
      if (character === '*') pieces.push('many');
      else if (character === '?') pieces.push('any');
      else pieces.push({ literal: character === '\\' ? (text[++at] ?? '\\') : character });
    }
    this.#pieces = pieces;
  }

  withoutPrefix(value: string, { longest }: { readonly longest: boolean }): string {
    return value.slice(this.#matchAt(value, 0, this.#pieces, longest) ?? 0);
  }

  withoutSuffix(value: string, { longest }: { readonly longest: boolean }): string {
    const length = this.#matchAt(reversed(value), 0, [...this.#pieces].reverse(), longest) ?? 0;
    return value.slice(0, value.length - length);
  }

  /** The first match, or all, replaced; each is as long as possible. */
  replaced(value: string, replacement: string, { all }: { readonly all: boolean }): string {
    let result = '';
    let at = 0;
    while (at <= value.length) {
      const length = this.#matchAt(value, at, this.#pieces, true);
      if (length === undefined) {
        result += value[at] ?? '';
        at++;
        continue;
      }
      result += replacement;
      if (!all) return result + value.slice(at + length);
      result += length === 0 ? (value[at] ?? '') : '';
      at += Math.max(1, length);
    }
    return result;
  }

  /** The length of the match that begins at a position; undefined when there is none. Never backtracks. */
  #matchAt(value: string, start: number, pieces: readonly Piece[], longest: boolean): number | undefined {
    let found: number | undefined;
    let places = reachable(pieces, [0]);
    for (let at = start; places.size > 0; at++) {
      if (places.has(pieces.length)) {
        found = at - start;
        if (!longest) return found;
      }
      if (at >= value.length) break;
      this.#comparisons += places.size;
      if (this.#comparisons > mostComparisons)
        throw invalidArgument('a pattern in a substitution takes too long to match');
      const next: number[] = [];
      for (const place of places) {
        const piece = pieces[place];
        if (piece === 'many') next.push(place);
        else if (piece === 'any' || (piece !== undefined && piece.literal === value[at])) next.push(place + 1);
      }
      places = reachable(pieces, next);
    }
    return found;
  }
}

/** The places, and those behind a `*` that matches nothing more. */
function reachable(pieces: readonly Piece[], places: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (const place of places) {
    let at = place;
    for (; pieces[at] === 'many'; at++) all.add(at);
    all.add(at);
  }
  return all;
}

const reversed = (text: string): string => text.split('').reverse().join('');
