import { invalidArgument } from '@gantry/core/errors';

/** What the codes of strftime look like in a text. */
const codes: Readonly<Record<string, string>> = {
  a: '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)',
  A: '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)',
  b: '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)',
  B: '(?:January|February|March|April|May|June|July|August|September|October|November|December)',
  d: '\\d{2}',
  f: '\\d{6}',
  H: '\\d{2}',
  I: '\\d{2}',
  j: '\\d{3}',
  L: '\\.\\d{3}',
  m: '\\d{2}',
  M: '\\d{2}',
  p: '(?:AM|PM)',
  S: '\\d{2}',
  w: '\\d',
  y: '\\d{2}',
  Y: '\\d{4}',
  z: '[+-]\\d{4}',
  Z: '[A-Z]{1,4}T',
  '%': '%',
};

/** Finds times of a format such as `[%b %d, %Y %H:%M:%S]`. @throws EngineError `invalid-argument`. */
export function dateTimePattern(option: string, format: string): RegExp {
  const parts = format.split(/(%.?)/s).map((part) => {
    if (!part.startsWith('%')) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const code = codes[part.slice(1)];
    if (code === undefined) throw invalidArgument(`log opt ${option}: "${format}": unknown code ${part}`);
    return code;
  });
  return new RegExp(parts.join(''));
}
