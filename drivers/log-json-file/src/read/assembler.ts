/** Byte code of a WebAssembly function. */
export type Code = readonly number[];

/** Signed LEB128. */
function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

/** Unsigned LEB128. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
    if (rest === 0) return bytes;
  }
}

const counted = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
const none = 0x40;
const vector = (operation: number, ...operands: Code[]): Code => [...operands.flat(), 0xfd, operation];
/** A memory operand without alignment. */
const at = (offset: number): Code => [0, ...unsigned(offset)];
const textBytes = (text: string): Code => [...Buffer.from(text, 'latin1')];

/** The instructions that the decoder uses, as functions of their operands. Jumps count the blocks they leave, innermost first. */
export const wasm = {
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)],
  setGlobal: (global: number, value: Code): Code => [...value, 0x24, ...unsigned(global)],
  number: (value: number): Code => [0x41, ...signed(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  and: (a: Code, b: Code): Code => [...a, ...b, 0x71],
  shiftLeft: (a: Code, b: Code): Code => [...a, ...b, 0x74],
  shiftRight: (a: Code, b: Code): Code => [...a, ...b, 0x76],
  /** Count of trailing zero bits. */
  zerosBelow: (a: Code): Code => [...a, 0x68],
  isZero: (a: Code): Code => [...a, 0x45],
  equal: (a: Code, b: Code): Code => [...a, ...b, 0x46],
  unequal: (a: Code, b: Code): Code => [...a, ...b, 0x47],
  atLeast: (a: Code, b: Code): Code => [...a, ...b, 0x4f],
  greater: (a: Code, b: Code): Code => [...a, ...b, 0x4b],
  /** `a` where the condition holds, else `b`. */
  select: (condition: Code, a: Code, b: Code): Code => [...a, ...b, ...condition, 0x1b],
  or: (a: Code, b: Code): Code => [...a, ...b, 0x72],
  subtract: (a: Code, b: Code): Code => [...a, ...b, 0x6b],
  loadByte: (address: Code, offset = 0): Code => [...address, 0x2d, ...at(offset)],
  load4: (address: Code, offset = 0): Code => [...address, 0x28, ...at(offset)],
  storeByte: (address: Code, value: Code): Code => [...address, ...value, 0x3a, ...at(0)],
  store4: (address: Code, value: Code): Code => [...address, ...value, 0x36, ...at(0)],
  load16: (address: Code, offset = 0): Code => [...vector(0x00, address), ...at(offset)],
  store16: (address: Code, value: Code, offset = 0): Code => [...vector(0x0b, address, value), ...at(offset)],
  /** Sixteen characters. */
  text16: (text: string): Code => [...vector(0x0c), ...textBytes(text)],
  bytes16: (byte: number): Code => [...vector(0x0c), ...new Array<number>(16).fill(byte)],
  /** Compares by byte: all ones where equal. */
  equal16: (a: Code, b: Code): Code => vector(0x23, a, b),
  or16: (a: Code, b: Code): Code => vector(0x50, a, b),
  /** The highest bit of each byte, as a bit mask. */
  bits16: (a: Code): Code => vector(0x64, a),
  block: (...body: Code[]): Code => [0x02, none, ...body.flat(), 0x0b],
  loop: (...body: Code[]): Code => [0x03, none, ...body.flat(), 0x0b],
  jump: (depth: number): Code => [0x0c, depth],
  jumpIf: (depth: number, condition: Code): Code => [...condition, 0x0d, depth],
  when: (condition: Code, ...body: Code[]): Code => [...condition, 0x04, none, ...body.flat(), 0x0b],
} as const;

const [i32, v128, func] = [0x7f, 0x7b, 0x60];
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(counted(items))];
const exported = (name: string, kind: number): Code => [...sized(textBytes(name)), kind, 0];

interface FunctionRequest {
  /** 32-bit parameters; they are the first locals. The function returns one. */
  readonly parameters: number;
  /** Further locals: 32-bit numbers, then vectors. */
  readonly numbers: number;
  readonly vectors: number;
  readonly body: Code;
  /** Pages of 64 KiB. */
  readonly pages: number;
}

/** A module of one function `run`, a `memory` and a global number `result`. */
function assemble({ parameters, numbers, vectors, body, pages }: FunctionRequest): Uint8Array {
  const type = [func, ...counted(new Array<Code>(parameters).fill([i32])), ...counted([[i32]])];
  const locals = counted([
    [...unsigned(numbers), i32],
    [...unsigned(vectors), v128],
  ]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [type]),
    ...section(3, [[0]]),
    ...section(5, [[0x01, ...unsigned(pages), ...unsigned(pages)]]),
    ...section(6, [[i32, 0x01, 0x41, 0x00, 0x0b]]),
    ...section(7, [exported('run', 0), exported('memory', 2), exported('result', 3)]),
    ...section(10, [sized([...locals, ...body, 0x0b])]),
  ]);
}

/** Node provides it; its types are part of the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports<P extends readonly number[]> {
  run(...parameters: P): number;
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly result: { readonly value: number };
}

/** An instantiated function with its memory. */
interface WasmFunction<P extends readonly number[]> {
  readonly memory: Uint8Array<ArrayBuffer>;
  run(...parameters: P): number;
  /** The global that the last run set. */
  result(): number;
}

/** @throws CompileError where the CPU lacks SIMD. */
export function instantiate<P extends readonly number[]>(request: FunctionRequest): WasmFunction<P> {
  const module = new WebAssembly.Module(assemble(request));
  const { run, memory, result } = new WebAssembly.Instance(module).exports as Exports<P>;
  return { memory: new Uint8Array(memory.buffer), run, result: () => result.value };
}
