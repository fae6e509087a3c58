import { koffi } from '../ffi/native.js';

/**
 * Strings as `argv` and `envp` want them: pointers to zero-ended bytes, then a null pointer. Made in memory of our own,
 * because what a call on another thread can be given through the FFI library is limited to 128 KiB.
 */
export class StringVector {
  readonly pointers: Buffer;
  /** Held for as long as the pointers are. */
  readonly bytes: Buffer;

  constructor(strings: readonly string[]) {
    const total = strings.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
    // Not of Node's shared pool: zeroed, and at an address that is ours.
    this.bytes = Buffer.alloc(Math.max(total, 1));
    this.pointers = Buffer.alloc((strings.length + 1) * 8);
    const start = koffi().address(this.bytes);
    let offset = 0;
    for (const [index, text] of strings.entries()) {
      if (text.includes('\0')) throw new TypeError(`a program cannot be given the argument ${JSON.stringify(text)}`);
      this.pointers.writeBigUInt64LE(start + BigInt(offset), index * 8);
      offset += this.bytes.write(text, offset) + 1;
    }
  }
}
