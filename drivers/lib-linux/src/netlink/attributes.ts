import { NLA_F_NESTED, NLA_TYPE_MASK } from './constants.js';

const aligned = (length: number): number => (length + 3) & ~3;

/** Writes one message's body: a fixed header, then attributes. Numbers are in the machine's order, little-endian. */
export class BodyWriter {
  #buffer = Buffer.alloc(256);
  #length = 0;

  /** Room for a fixed header, zeroed, at the present end. */
  header(length: number): Buffer {
    this.#reserve(aligned(length));
    const header = this.#buffer.subarray(this.#length, this.#length + length);
    this.#length += aligned(length);
    return header;
  }

  bytes(type: number, value: Uint8Array): this {
    const total = 4 + value.length;
    this.#reserve(aligned(total));
    this.#buffer.writeUInt16LE(total, this.#length);
    this.#buffer.writeUInt16LE(type, this.#length + 2);
    this.#buffer.set(value, this.#length + 4);
    this.#length += aligned(total);
    return this;
  }

  u8(type: number, value: number): this {
    return this.bytes(type, Uint8Array.of(value));
  }

  flag(type: number, value: boolean | undefined): this {
    return value === undefined ? this : this.u8(type, value ? 1 : 0);
  }

  u16(type: number, value: number): this {
    return this.bytes(type, new Uint8Array(Uint16Array.of(value).buffer));
  }

  /** In the network's order. */
  u16be(type: number, value: number): this {
    return this.bytes(type, Uint8Array.of(value >> 8, value & 0xff));
  }

  u32(type: number, value: number): this {
    return this.bytes(type, new Uint8Array(Uint32Array.of(value).buffer));
  }

  /** With the byte that ends it. */
  text(type: number, value: string): this {
    return this.bytes(type, Buffer.from(`${value}\0`));
  }

  nested(type: number, write: (inside: this) => void, options: { readonly flagged?: boolean } = {}): this {
    const start = this.#length;
    this.bytes(options.flagged === true ? type | NLA_F_NESTED : type, new Uint8Array());
    write(this);
    this.#buffer.writeUInt16LE(this.#length - start, start);
    return this;
  }

  /** What was written, to be copied before more is. */
  get written(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(this.#buffer.length * 2, this.#length + more));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** The attributes of a received message by their type, as views of its bytes. */
export function readAttributes(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const attributes = new Map<number, Buffer>();
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(offset);
    if (length < 4 || offset + length > bytes.length) break;
    attributes.set(bytes.readUInt16LE(offset + 2) & NLA_TYPE_MASK, bytes.subarray(offset + 4, offset + length));
    offset += aligned(length);
  }
  return attributes;
}

/** The attributes of a list, which are all of one type. */
export function listItems(bytes: Buffer): readonly Buffer[] {
  const items: Buffer[] = [];
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(offset);
    if (length < 4 || offset + length > bytes.length) break;
    items.push(bytes.subarray(offset + 4, offset + length));
    offset += aligned(length);
  }
  return items;
}

/** A text attribute, without the byte that ends it. */
export function attributeText(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Colon form of a link-layer address; undefined for none. */
export function macText(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.length !== 6) return undefined;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** Throws TypeError when it is not six bytes in hexadecimal with colons or dashes between. */
export function macBytes(text: string): Buffer {
  if (!/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text)) throw new TypeError(`"${text}" is not a MAC address`);
  return Buffer.from(text.replace(/[:-]/g, ''), 'hex');
}
