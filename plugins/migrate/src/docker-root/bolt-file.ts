import { readFile } from 'node:fs/promises';
import { unavailable } from '@gantry/core/errors';

const magic = 0xed0cdaed;
const pageHeader = 16;
const elementHeader = 16;
const bucketHeader = 16;
const branchFlag = 0x01;
const leafFlag = 0x02;
/** Of an element whose value is a bucket. */
const bucketFlag = 0x01;
/** No tree of a file is that deep; a damaged one may lead in a circle. */
const deepest = 64;

/**
 * A file of the embedded database bbolt, read as a whole: B+ trees of keys and values in named buckets.
 * https://pkg.go.dev/go.etcd.io/bbolt
 */
export class BoltFile {
  private constructor(
    private readonly bytes: Buffer,
    private readonly file: string,
  ) {}

  /** Rejects `unavailable` naming the file when it is not such a database. */
  static async read(file: string): Promise<BoltFile> {
    return new BoltFile(await readFile(file), file);
  }

  /** The values of a bucket on the top level by their keys, UTF-8; none when it is absent. */
  bucket(name: string): ReadonlyMap<string, Buffer> {
    const { pageSize, root } = this.#meta();
    const found = [...this.#elements(this.#page(root, pageSize), pageSize)].find(
      ({ key, isBucket }) => isBucket && key === name,
    );
    if (found === undefined) return new Map();
    const { value } = found;
    const at = Number(value.readBigUInt64LE(0));
    // A small bucket is in place of a page of its own, behind its header.
    const page = at === 0 ? value.subarray(bucketHeader) : this.#page(at, pageSize);
    const elements = [...this.#elements(page, pageSize)].filter(({ isBucket }) => !isBucket);
    return new Map(elements.map(({ key, value: bytes }) => [key, bytes]));
  }

  /** Of the two pages that say where everything is, the newer one. */
  #meta(): { readonly pageSize: number; readonly root: number } {
    const sizes = [...new Set([4096, ...[12, 13, 14, 15, 16].map((bits) => 2 ** bits)])];
    const metas = [0, ...sizes].flatMap((at) => this.#metaAt(at));
    const newest = metas.sort((one, other) => Number(other.transaction - one.transaction))[0];
    if (newest === undefined) throw this.#damaged('it has no valid meta page');
    return newest;
  }

  #metaAt(at: number): readonly { pageSize: number; root: number; transaction: bigint }[] {
    const start = at + pageHeader;
    if (this.bytes.length < start + 64 || this.bytes.readUInt32LE(start) !== magic) return [];
    const checksum = fnv64(this.bytes.subarray(start, start + 56));
    if (this.bytes.readUInt32LE(start + 4) !== 2 || this.bytes.readBigUInt64LE(start + 56) !== checksum) return [];
    return [
      {
        pageSize: this.bytes.readUInt32LE(start + 8),
        root: Number(this.bytes.readBigUInt64LE(start + 16)),
        transaction: this.bytes.readBigUInt64LE(start + 48),
      },
    ];
  }

  #page(id: number, pageSize: number): Buffer {
    const start = id * pageSize;
    if (start + pageHeader > this.bytes.length) throw this.#damaged(`page ${id} is beyond its end`);
    const overflow = this.bytes.readUInt32LE(start + 12);
    return this.bytes.subarray(start, start + (overflow + 1) * pageSize);
  }

  *#elements(page: Buffer, pageSize: number, depth = 0): Generator<Element> {
    if (depth > deepest) throw this.#damaged('its tree is too deep');
    const flags = page.readUInt16LE(8);
    const count = page.readUInt16LE(10);
    for (let index = 0; index < count; index++) {
      const at = pageHeader + index * elementHeader;
      if ((flags & branchFlag) !== 0) {
        const child = Number(page.readBigUInt64LE(at + 8));
        yield* this.#elements(this.#page(child, pageSize), pageSize, depth + 1);
      } else if ((flags & leafFlag) !== 0) {
        const [position, keySize, valueSize] = [4, 8, 12].map((offset) => page.readUInt32LE(at + offset)) as [
          number,
          number,
          number,
        ];
        const key = at + position;
        if (key + keySize + valueSize > page.length) throw this.#damaged('an element is longer than its page');
        yield {
          key: page.toString('utf8', key, key + keySize),
          value: page.subarray(key + keySize, key + keySize + valueSize),
          isBucket: (page.readUInt32LE(at) & bucketFlag) !== 0,
        };
      } else throw this.#damaged(`a page of its tree has the flags ${flags}`);
    }
  }

  #damaged(what: string): Error {
    return unavailable(`${this.file} is damaged: ${what}`);
  }
}

interface Element {
  readonly key: string;
  readonly value: Buffer;
  readonly isBucket: boolean;
}

/** FNV-1a of 64 bits. */
function fnv64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
