import { invalidArgument } from '../errors/engine-error.js';

/** What a client types to leave a session, when it did not choose its own keys: ctrl-p, ctrl-q. */
export const defaultDetachKeys: readonly number[] = [0x10, 0x11];

/** A control key's code is the character's code without its upper bits: ctrl-a is 1, ctrl-_ is 31. */
const controlCode = (character: string): number => character.toUpperCase().charCodeAt(0) & 0x1f;

function parseKey(key: string, option: string, text: string): number {
  if (/^[!-~]$/.test(key)) return key.charCodeAt(0);
  const control = /^ctrl-([a-z@[\\\]^_,])$/.exec(key)?.[1];
  if (control !== undefined) return controlCode(control);
  throw invalidArgument(
    `${option}: "${text}" is not a list of keys such as ctrl-p,ctrl-q: ` +
      `"${key}" is neither one character nor ctrl- with one of a-z @ [ ] \\ ^ _ ,`,
  );
}

/**
 * Reads a sequence of keys: single characters and `ctrl-<value>`, separated by commas. An empty or absent text is
 * the default. The comma itself can only be meant as `ctrl-,`.
 * @returns the bytes a terminal sends for the sequence.
 * @throws EngineError `invalid-argument` naming the option and the value.
 */
export function parseDetachKeys(text: string | undefined, option = 'detachKeys'): readonly number[] {
  if (text === undefined || text === '') return defaultDetachKeys;
  // A comma behind "ctrl-" belongs to the key; any other separates.
  return text.split(/(?<!(?:^|,)ctrl-),/).map((key) => parseKey(key, option, text));
}

/** What became of a chunk of input: the part that goes on to the process, and whether the client has left. */
export interface Scanned {
  readonly forward: Uint8Array;
  readonly detached: boolean;
}

const nothing = new Uint8Array(0);

/**
 * Looks for the detach keys in a client's input. Keys that may become the sequence are held back until it is known
 * whether they are; if they are not, they are forwarded in their place. Input behind the sequence is dropped.
 */
export class DetachScanner {
  readonly #keys: Uint8Array;
  /** `#fallback[n]`: how many keys still match when the first n did and the next one does not. */
  readonly #fallback: readonly number[];
  #matched = 0;
  #detached = false;

  constructor(keys: readonly number[] = defaultDetachKeys) {
    this.#keys = Uint8Array.from(keys);
    this.#fallback = borders(keys);
  }

  push(chunk: Uint8Array): Scanned {
    if (this.#detached) return { forward: nothing, detached: true };
    const [first] = this.#keys;
    // Nearly all input: nothing is held back and the sequence does not begin here.
    if (first === undefined || (this.#matched === 0 && !chunk.includes(first))) {
      return { forward: chunk, detached: false };
    }
    const forward = new Uint8Array(this.#matched + chunk.length);
    let length = 0;
    for (const byte of chunk) {
      while (this.#matched > 0 && this.#keys[this.#matched] !== byte) {
        const kept = this.#fallback[this.#matched] ?? 0;
        forward.set(this.#keys.subarray(0, this.#matched - kept), length);
        length += this.#matched - kept;
        this.#matched = kept;
      }
      if (this.#keys[this.#matched] !== byte) {
        forward[length++] = byte;
      } else if (++this.#matched === this.#keys.length) {
        this.#detached = true;
        break;
      }
    }
    return { forward: forward.subarray(0, length), detached: this.#detached };
  }

  /** Gives out what is held back, for the end of the input. */
  flush(): Uint8Array {
    const held = this.#detached ? nothing : this.#keys.slice(0, this.#matched);
    this.#matched = 0;
    return held;
  }
}

/** For each prefix, the length of its longest proper prefix that is also its suffix (Knuth, Morris, Pratt). */
function borders(keys: readonly number[]): number[] {
  const lengths = [0, 0];
  for (let end = 1; end < keys.length; end++) {
    let length = lengths[end] ?? 0;
    while (length > 0 && keys[length] !== keys[end]) length = lengths[length] ?? 0;
    lengths.push(keys[length] === keys[end] ? length + 1 : 0);
  }
  return lengths;
}
