import { type Code, instantiate, wasm } from './assembler.js';
import { meaningOf } from './unescape.js';

/** The layout of the memory. */
const meanings = 0;
const digits = 256;
const inputAt = 1024;
/** Bytes of a log that are loaded at a time. */
const inputSize = 65_536;
/** A frame is never longer than its line. */
const outputAt = inputAt + inputSize + 128;
const pages = Math.ceil((outputAt + inputSize + 128) / 65_536);

const { get, set, number, add, equal, unequal, jumpIf, load16, store16, bytes16, equal16, when } = wasm;

/** Parameters, then locals. */
const [at, end, to, streams, headerLength, attributesLength, source, target, found, high, low] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];
const text = 11;
const increase = (local: number, by: number): Code => set(local, add(get(local), number(by)));
const character = (letter: string): Code => number(letter.charCodeAt(0));
/** Four characters as a little-endian number. */
const text4 = (characters: string): Code => number(Buffer.from(characters).readInt32LE());
const isAll = (vector: Code): Code => equal(wasm.bits16(vector), number(0xffff));

/** `\u0000` to `\u007f`. Leaves 4 blocks at any other escape, else continues the innermost loop. */
const shortUnicode = [
  jumpIf(4, unequal(wasm.loadByte(get(source), 2), character('0'))),
  jumpIf(4, unequal(wasm.loadByte(get(source), 3), character('0'))),
  set(high, wasm.loadByte(wasm.loadByte(get(source), 4), digits)),
  set(low, wasm.loadByte(wasm.loadByte(get(source), 5), digits)),
  jumpIf(4, wasm.greater(get(high), number(7))),
  jumpIf(4, wasm.greater(get(low), number(15))),
  wasm.storeByte(get(target), wasm.or(wasm.shiftLeft(get(high), number(4)), get(low))),
  increase(target, 1),
  increase(source, 6),
  wasm.jump(1),
].flat();

/** Copies text up to its closing quote. Leaves 3 blocks at escapes it does not decode. */
const copyText = wasm.block(
  wasm.loop(
    set(text, load16(get(source))),
    store16(get(target), get(text)),
    set(found, wasm.bits16(wasm.or16(equal16(get(text), bytes16(0x22)), equal16(get(text), bytes16(0x5c))))),
    when(
      wasm.isZero(get(found)),
      increase(source, 16),
      increase(target, 16),
      jumpIf(4, wasm.greater(get(source), get(end))),
      wasm.jump(1),
    ),
    set(found, wasm.zerosBelow(get(found))),
    set(source, add(get(source), get(found))),
    set(target, add(get(target), get(found))),
    jumpIf(3, wasm.atLeast(get(source), get(end))),
    jumpIf(1, equal(wasm.loadByte(get(source)), character('"'))),
    set(found, wasm.loadByte(get(source), 1)),
    when(equal(get(found), character('u')), shortUnicode),
    set(found, wasm.loadByte(get(found), meanings)),
    jumpIf(3, wasm.isZero(get(found))),
    wasm.storeByte(get(target), get(found)),
    increase(target, 1),
    increase(source, 2),
    wasm.jump(0),
  ),
);

/** Stream, three zero bytes, and the length as a big-endian number. */
const frameHeader = [
  wasm.store4(get(to), get(low)),
  set(found, wasm.subtract(wasm.subtract(get(target), get(to)), number(8))),
  wasm.store4(
    add(get(to), number(4)),
    wasm.or(
      wasm.or(wasm.shiftLeft(get(found), number(24)), wasm.shiftLeft(wasm.and(get(found), number(0xff00)), number(8))),
      wasm.and(wasm.shiftRight(get(found), number(8)), number(0xff00)),
    ),
  ),
].flat();

/** Length of the line's end that is checked after the text, see `LineDecoder`. */
const endLength = 33;

const body: Code = [
  ...wasm.block(
    wasm.loop(
      jumpIf(1, wasm.atLeast(add(get(at), number(68)), get(end))),
      jumpIf(1, unequal(wasm.load4(get(at)), text4('{"lo'))),
      jumpIf(1, unequal(wasm.load4(get(at), 4), text4('g":"'))),
      set(source, add(get(at), number(8))),
      set(target, add(get(to), get(headerLength))),
      copyText,
      set(text, load16(get(source))),
      set(low, wasm.select(isAll(equal16(get(text), wasm.text16('","stream":"stde'))), number(2), number(1))),
      when(
        equal(get(low), number(1)),
        jumpIf(2, wasm.isZero(isAll(equal16(get(text), wasm.text16('","stream":"stdo'))))),
      ),
      jumpIf(1, unequal(wasm.loadByte(get(source), 19), character(','))),
      when(get(attributesLength), jumpIf(2, unequal(wasm.loadByte(get(source), 21), character('a')))),
      set(source, add(add(get(source), number(60 - endLength)), get(attributesLength))),
      jumpIf(1, wasm.atLeast(add(get(source), number(endLength)), get(end))),
      jumpIf(1, unequal(wasm.loadByte(get(source)), character('"'))),
      jumpIf(1, unequal(wasm.loadByte(get(source), 20), character('.'))),
      jumpIf(1, unequal(wasm.loadByte(get(source), 30), character('Z'))),
      jumpIf(1, unequal(wasm.loadByte(get(source), 32), character('}'))),
      jumpIf(1, unequal(wasm.loadByte(get(source), 33), number(0x0a))),
      when(wasm.and(get(streams), get(low)), when(get(headerLength), frameHeader), set(to, get(target))),
      set(at, add(get(source), number(endLength + 1))),
      wasm.jump(0),
    ),
  ),
  ...wasm.setGlobal(0, get(to)),
  ...get(at),
];

type Parameters = [at: number, end: number, to: number, streams: number, headerLength: number, attributes: number];

interface FramesRequest {
  /** 1 for stdout, 2 for stderr, 3 for both. */
  readonly streams: number;
  /** Bytes in front of each text. */
  readonly headerLength: 0 | 8;
  /** Bytes that the attributes take in each line. */
  readonly attributesLength: number;
}

/**
 * Decodes lines in the form this driver writes, sixteen bytes at a time, and stops at any other: those are for
 * `LineDecoder`.
 */
export class SimdDecoder {
  /** Where in the block the last call stopped: at a line in another form, or an incomplete one. */
  next = 0;
  readonly #wasm = instantiate<Parameters>({ parameters: 6, numbers: 5, vectors: 1, body, pages });
  #block: Buffer | undefined;
  /** The range of the block that is loaded. */
  #from = 0;
  #to = 0;

  constructor() {
    const { memory } = this.#wasm;
    for (let letter = 0; letter < 128; letter++) memory[meanings + letter] = meaningOf(letter);
    memory.fill(0xff, digits, digits + 256);
    for (const digit of '0123456789abcdefABCDEF') memory[digits + digit.charCodeAt(0)] = Number.parseInt(digit, 16);
  }

  /** Starts with a block, which must not change until the last call for it. */
  start(block: Buffer): void {
    this.#block = block;
    this.#from = 0;
    this.#to = 0;
  }

  /** Decodes lines and sets `next`. @returns where to continue in `out`. */
  decode(from: number, out: Buffer, start: number, request: FramesRequest): number {
    const block = this.#block ?? Buffer.alloc(0);
    const { streams, headerLength, attributesLength } = request;
    const { memory, run } = this.#wasm;
    let at = from;
    let to = start;
    while (at < block.length) {
      if (at < this.#from || at >= this.#to) this.#load(at);
      const [first, last] = [inputAt + at - this.#from, inputAt + this.#to - this.#from];
      const next = at + run(first, last, outputAt, streams, headerLength, attributesLength) - first;
      const end = this.#wasm.result();
      out.set(memory.subarray(outputAt, end), to);
      to += end - outputAt;
      if (next > at) at = next;
      // The line may only be incomplete in what is loaded.
      else if (this.#to < block.length && this.#from < at) this.#load(at);
      else break;
    }
    this.next = at;
    return to;
  }

  #load(from: number): void {
    const part = this.#block?.subarray(from, from + inputSize) ?? Buffer.alloc(0);
    this.#wasm.memory.set(part, inputAt);
    this.#from = from;
    this.#to = from + part.length;
  }
}
