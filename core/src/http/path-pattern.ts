import { invalidArgument } from '../kernel/errors.js';
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

const segmentForms = { ':': '([^/]+)', '*': '(.+)' } as const;

const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Reads a path such as `/containers/:id/json` or `/images/*name/json`: `:id` takes one segment, `*name` one or more
 * with the slashes between them. Both come out decoded, once, and may contain encoded slashes.
 */
export function parsePathPattern(path: string): PathPattern {
  if (!path.startsWith('/')) throw new TypeError(`the path "${path}" of a route begins with a slash`);
  const names: string[] = [];
  let rank = 0;
  const source = path.split('/').map((segment) => {
    const form = segmentForms[segment[0] as keyof typeof segmentForms];
    if (form === undefined) {
      rank += 1000 + segment.length;
      return escapeText(segment);
    }
    rank += segment.startsWith(':') ? 100 : 0;
    names.push(segment.slice(1));
    return form;
  });
  const first = path.split('/')[1] ?? '';
  const expression = new RegExp(`^${source.join('/')}$`, 's');
  return {
    path,
    firstSegment: /^[:*]/.test(first) ? undefined : first,
    hasParams: names.length > 0,
    rank,
    match: (candidate) => expression.exec(candidate),
    params: (match) => Object.fromEntries(names.map((name, index) => [name, decode(match[index + 1] ?? '')])),
  };
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalidArgument(`invalid URL escape in "${text}"`, { cause });
  }
}
