import { invalidArgument } from '../kernel/errors.js';

/** Far beyond any request there is; writing JSON out again, which is recursive, still stands it. */
const maxDepth = 200;

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [...Buffer.from('"\\{}[]')];

/** Refuses JSON text that is nested too deep to be handled by recursion later. Does not look for other faults. */
export function checkDepth(text: Uint8Array): void {
  if (text.length <= maxDepth) return;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxDepth) throw invalidArgument(`the JSON of the request is nested deeper than ${maxDepth} levels`);
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
    }
  }
}
