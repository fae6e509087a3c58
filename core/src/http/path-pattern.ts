import KoaRouter, { type Layer } from '@koa/router';
import { invalidArgument } from '../errors/engine-error.js';
import type { Params } from './context.js';

/** A declared path, ready to be compared. */
export interface PathPattern {
  readonly path: string;
  /** The first segment when it is fixed; undefined when it is a parameter. */
  readonly firstSegment: string | undefined;
  readonly hasParams: boolean;
  /** Higher is compared earlier: fixed text counts, a rest parameter counts less than a segment. */
  readonly rank: number;
  /** The raw values of the parameters, or null when the path is another. */
  match(path: string): RegExpExecArray | null;
  /** @throws EngineError `invalid-argument` for a broken escape. */
  params(match: RegExpExecArray): Params;
}

/** Reads path syntax; it keeps no routes. */
const syntax = new KoaRouter({ sensitive: true, strict: true });

/**
 * Reads a path such as `/containers/:id/json` or `/images/*name/json`: `:id` takes one segment, `*name` one or more
 * with the slashes between them. Both come out decoded, once, and may contain encoded slashes.
 */
export function parsePathPattern(path: string): PathPattern {
  if (!path.startsWith('/')) throw new TypeError(`the path "${path}" of a route begins with a slash`);
  const { regexp, paramNames } = syntax.register(path, [], () => undefined) as Layer;
  syntax.stack.length = 0;
  const names = paramNames.map(({ name }) => name);
  const segments = path.split('/').slice(1);
  const [first = ''] = segments;
  return {
    path,
    firstSegment: /^[:*]/.test(first) ? undefined : first,
    hasParams: names.length > 0,
    rank: segments.reduce((sum, segment) => sum + rankOf(segment), 0),
    match: (candidate) => regexp.exec(candidate),
    params: (match) => Object.fromEntries(names.map((name, index) => [name, decode(match[index + 1] ?? '')])),
  };
}

function rankOf(segment: string): number {
  if (segment.startsWith(':')) return 100;
  return segment.startsWith('*') ? 0 : 1000 + segment.length;
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalidArgument(`invalid URL escape in "${text}"`, { cause });
  }
}
