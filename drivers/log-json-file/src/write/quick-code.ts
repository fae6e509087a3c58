import { type Code, instantiate, wasm } from '../assembler.js';
import { escapeAscii, special } from './json-escape.js';
import { maxText } from './plain-lines.js';
import { plainHeader } from './spool-line.js';

/** Where in the memory of the code everything is. */
const escapeLengths = 0;
const escapes = 1024;
const afterAt = [2048, 8192] as const;
/** The most that may come between text and time. */
export const longestAfter = 4096;
const inputAt = 16_384;
/** Bytes of spool that it is given at once. */
const inputSize = 65_536;
const outputAt = inputAt + inputSize + 64;
const outputSize = 262_144;
/** No line becomes longer. */
const longestLine = 6 * maxText + longestAfter + 128;
const pages = Math.ceil((outputAt + outputSize) / 65_536);

const { get, set, number, add, equal, unequal, jumpIf, load16, store16, bytes16, equal16, or16, and16 } = wasm;

/** The parameters, and what it works with. */
const [at, end, to, room, leftOut, length0, length1, source, target, last, found, stream, after, copied] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
];
const [header, text] = [14, 15];
const increase = (local: number, by: Code): Code => set(local, add(get(local), by));

/** Which of sixteen bytes are below a blank, above ASCII (that is, negative), or `"`, `&`, `<`, `>`, `\`. */
const specialBits = wasm.bits16(
  or16(
    or16(
      wasm.less16(get(text), bytes16(0x20)),
      equal16(and16(get(text), bytes16(0xfb)), bytes16(0x22)), // " and &
    ),
    or16(
      equal16(and16(get(text), bytes16(0xfd)), bytes16(0x3c)), // < and >
      equal16(get(text), bytes16(0x5c)),
    ),
  ),
);

const isAll = (vector: Code): Code => equal(wasm.bits16(vector), number(0xffff));

/** Text up to the end of the line. Jumps out of 2 blocks at what it leaves to others. */
const copyText = wasm.block(
  wasm.loop(
    set(text, load16(get(source))),
    store16(get(target), get(text)),
    set(found, specialBits),
    wasm.when(
      wasm.isZero(get(found)),
      increase(source, number(16)),
      increase(target, number(16)),
      jumpIf(4, wasm.greater(get(source), get(last))),
      wasm.jump(1),
    ),
    set(found, wasm.zerosBelow(get(found))),
    increase(source, get(found)),
    increase(target, get(found)),
    set(found, wasm.loadByte(get(source))),
    jumpIf(1, equal(get(found), number(0x0a))),
    jumpIf(3, wasm.greater(get(found), number(0x7f))),
    jumpIf(3, wasm.greater(get(source), get(last))),
    wasm.store8(get(target), wasm.load8(wasm.shiftLeft(get(found), number(3)), escapes)),
    increase(target, wasm.loadByte(get(found), escapeLengths)),
    increase(source, number(1)),
    wasm.jump(0),
  ),
);

const copyAfter = [
  set(after, wasm.select(get(stream), number(afterAt[1]), number(afterAt[0]))),
  set(copied, number(0)),
  wasm.loop(
    store16(add(get(target), get(copied)), load16(add(get(after), get(copied)))),
    increase(copied, number(16)),
    jumpIf(0, wasm.less(get(copied), wasm.select(get(stream), get(length1), get(length0)))),
  ),
  increase(target, wasm.select(get(stream), get(length1), get(length0))),
].flat();

/** Four characters as they lie in memory. */
const text4 = (characters: string): Code => number(Buffer.from(characters).readInt32LE());

const body: Code = [
  ...wasm.block(
    wasm.loop(
      jumpIf(1, wasm.greater(get(to), get(room))),
      jumpIf(1, wasm.greater(add(get(at), number(plainHeader + 1)), get(end))),
      set(header, load16(get(at), 29)),
      set(stream, isAll(equal16(get(header), wasm.text16('+00:00 stderr F ')))),
      wasm.when(
        wasm.isZero(get(stream)),
        jumpIf(2, wasm.isZero(isAll(equal16(get(header), wasm.text16('+00:00 stdout F '))))),
      ),
      jumpIf(1, unequal(wasm.loadByte(get(at), 19), number(0x2e))),
      jumpIf(1, unequal(wasm.loadByte(get(at), 10), number(0x54))),
      jumpIf(1, wasm.and(wasm.shiftRight(get(leftOut), get(stream)), number(1))),
      wasm.store4(get(to), text4('{"lo')),
      wasm.store4(add(get(to), number(4)), text4('g":"')),
      set(source, add(get(at), number(plainHeader))),
      set(target, add(get(to), number(8))),
      set(last, add(get(source), number(maxText))),
      copyText,
      jumpIf(1, wasm.greater(get(source), get(last))),
      copyAfter,
      store16(get(target), load16(get(at))),
      store16(get(target), load16(get(at), 13), 13),
      wasm.store4(add(get(target), number(29)), text4('Z"}\n')),
      set(to, add(get(target), number(33))),
      set(at, add(get(source), number(1))),
      wasm.jump(0),
    ),
  ),
  ...wasm.setGlobal(0, get(to)),
  ...get(at),
];

type Parameters = [
  at: number,
  end: number,
  to: number,
  room: number,
  leftOut: number,
  length0: number,
  length1: number,
];

/** The code with its memory. It keeps nothing between two calls but the texts that come after. */
export class QuickCode {
  readonly #code = instantiate<Parameters>({ parameters: 7, numbers: 7, vectors: 2, body, pages });
  readonly #memory = this.#code.memory;
  #after: readonly Uint8Array[] = [];

  constructor() {
    for (let character = 0; character < 0x80; character++) {
      if (special[character] === 0) continue;
      const start = escapes + 8 * character;
      this.#memory[escapeLengths + character] = escapeAscii(this.#memory, start, character) - start;
    }
  }

  /** What comes between text and time, by stream. */
  set after(texts: readonly [Uint8Array, Uint8Array]) {
    if (this.#after === texts) return;
    this.#after = texts;
    for (const stream of [0, 1] as const) this.#memory.set(texts[stream], afterAt[stream]);
  }

  /** Takes as much of a spool as it has room for. @returns how much that is. */
  load(spool: Uint8Array, from: number): number {
    const part = spool.subarray(from, from + inputSize);
    this.#memory.set(part, inputAt);
    // No text goes on behind this.
    this.#memory.fill(0x80, inputAt + part.length, inputAt + part.length + 16);
    return part.length;
  }

  /**
   * Encodes lines of what was loaded, until `room` bytes are exceeded or a line is not simple.
   * @returns where the next one begins; `output` is what became of those before.
   */
  run(from: number, loaded: number, room: number, leftOut: number): number {
    const limit = outputAt + Math.min(room, outputSize - longestLine);
    const [length0 = 0, length1 = 0] = this.#after.map(({ length }) => length);
    return this.#code.run(inputAt + from, inputAt + loaded, outputAt, limit, leftOut, length0, length1) - inputAt;
  }

  /** Of the last run. Good until the next. */
  get output(): Uint8Array {
    return this.#memory.subarray(outputAt, this.#code.result());
  }
}
