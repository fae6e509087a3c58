import { setImmediate } from 'node:timers/promises';
import { invalidArgument } from '@gantry/core/errors';
import { cleanPath, type PathPattern, patternToExpression } from './pattern.js';

const mostRules = 10_000;
/** How long other requests wait for a long listing, in ms. */
const longestTurn = 10;

interface Rule {
  readonly expression: PathPattern;
  /** Takes back what an earlier rule has left out. */
  readonly isException: boolean;
}

/** What an ignore file leaves out of the context. The last rule that fits a path, or a directory above it, decides. */
export class IgnoreFile {
  readonly #rules: readonly Rule[];

  /** @throws EngineError `invalid-argument` for a pattern that cannot be read. */
  constructor(text: string) {
    const lines = text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '!');
    if (lines.length > mostRules) throw invalidArgument(`the ignore file has more than ${mostRules} patterns`);
    this.#rules = lines
      .map((line) => {
        const isException = line.startsWith('!');
        const pattern = cleanPath((isException ? line.slice(1) : line).trim());
        return { pattern, isException };
      })
      .filter(({ pattern }) => pattern !== '')
      .map(({ pattern, isException }) => ({
        expression: patternToExpression(pattern, { takesBelow: true }),
        isException,
      }));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** `path` is relative to the context. */
  leavesOut(path: string): boolean {
    let isOut = false;
    for (const { expression, isException } of this.#rules) {
      if (isException === isOut && expression.test(path)) isOut = !isException;
    }
    return isOut;
  }

  /** What is to be removed of a listing: directories as a whole where nothing in them stays. */
  async removals(
    paths: readonly string[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly string[]> {
    const out: string[] = [];
    let begun = performance.now();
    for (const path of paths) {
      if (path !== '' && this.leavesOut(path)) out.push(path);
      if (performance.now() - begun < longestTurn) continue;
      await setImmediate();
      signal?.throwIfAborted();
      begun = performance.now();
    }
    const kept = new Set<string>();
    const left = new Set(out);
    for (const path of paths) {
      if (left.has(path)) continue;
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) kept.add(path.slice(0, at));
    }
    const whole = out.filter((path) => !kept.has(path));
    const removed = new Set<string>();
    return whole.filter((path) => {
      for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
        if (removed.has(path.slice(0, at))) return false;
      }
      removed.add(path);
      return true;
    });
  }
}
