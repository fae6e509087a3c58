import { invalidArgument } from '../../errors/engine-error.js';

/** Far beyond any request there is; writing JSON out again, which is recursive, still stands it. */
const maxDepth = 200;

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = [...Buffer.from('"\\,{}[]')];

/**
 * Refuses JSON text that is nested too deep to be handled by recursion later, that has more values than a request can need
 * (objects of a million keys keep the engine busy for seconds), and objects that have a key twice: two readers, say a
 * plugin that authorizes and the engine, may take different ones. Does not look for other faults.
 */
export function checkShape(text: Buffer, maxValues: number): void {
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let atKey = false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      const end = endOfString(text, at);
      if (atKey && keys !== undefined) addKey(keys, text.subarray(at, end + 1));
      atKey = false;
      at = end;
    } else if (byte === comma) {
      atKey = keys !== undefined;
      if (++values > maxValues) throw invalidArgument(`the JSON of the request has more than ${maxValues} values`);
    } else if (byte === openBrace || byte === openBracket) {
      keys = byte === openBrace ? new Set() : undefined;
      atKey = keys !== undefined;
      if (open.push(keys) > maxDepth) {
        throw invalidArgument(`the JSON of the request is nested deeper than ${maxDepth} levels`);
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      open.pop();
      keys = open[open.length - 1];
      atKey = false;
    }
  }
}

/** Where the string that begins at a quote ends: at its last quote, or with the text. */
function endOfString(text: Buffer, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  return at;
}

function addKey(keys: Set<string>, quoted: Buffer): void {
  const key = readKey(quoted);
  if (key === undefined) return;
  if (keys.has(key)) throw invalidArgument(`the JSON of the request has the key ${JSON.stringify(key)} twice`);
  keys.add(key);
}

/** Undefined when it is no string; the parser reports that. */
function readKey(quoted: Buffer): string | undefined {
  if (!quoted.includes(backslash as number)) return quoted.toString('utf8', 1, quoted.length - 1);
  try {
    return JSON.parse(quoted.toString('utf8'));
  } catch {
    return undefined;
  }
}
