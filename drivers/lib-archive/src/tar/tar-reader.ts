import { EngineError, invalidArgument } from '@gantry/core/errors';
import { isZeroBlock } from './checksum.js';
import type { ByteString, SparseRegion, TarEntry } from './entry.js';
import { decodeHeader, type Header, text } from './header.js';
import { type Member, toMember } from './member.js';
import { printable } from './names.js';
import { decodeNumber } from './numbers.js';
import { decodePax, type PaxRecord } from './pax.js';
import { oldRegions, SparsePrefix, sparseMap } from './sparse.js';

/**
 * What a {@link TarReader} finds. `raw` and `payload` together get every byte of the archive once, in order; the bytes
 * are the handler's only during the call. An entry may begin and end before `raw` gets its header; its
 * payload comes after that. Whatever is thrown ends the reading.
 */
export interface TarHandler {
  /** Headers, what fills up blocks, the end of the archive and what follows it. */
  raw(bytes: Buffer): void;
  begin(entry: TarEntry): void;
  /** Content of the file begun last. */
  payload(bytes: Buffer): void;
  end(): void;
}

type State = 'header' | 'extension' | 'old-sparse' | 'sparse-prefix' | 'payload' | 'skip' | 'filling' | 'trailer';

const blockSize = 512;
/** An extension header is held in memory. Attributes can have 64 KiB each, names 4 KiB. */
const maxExtension = 4 * 1024 * 1024;

/**
 * Reads a tar archive from pieces of any length, without copying what it does not have to. It does no I/O, waits for
 * nothing, and throws EngineError `invalid-argument` at the first thing that is wrong.
 */
export class TarReader {
  #state: State = 'header';
  /** What began in a piece before this one. */
  #held: Buffer[] = [];
  #heldLength = 0;
  /** Bytes of payload, extension or filling that are still to come. */
  #remaining = 0;
  #padding = 0;
  #zeroBlocks = 0;
  #header: Header | undefined;
  #member: Member | undefined;
  #oldSparse: { realSize: number; regions: SparseRegion[] } | undefined;
  #sparsePrefix: SparsePrefix | undefined;
  #global: readonly PaxRecord[] = [];
  #local: readonly PaxRecord[] = [];
  #localBytes = 0;
  #longName: ByteString | undefined;
  #longLinkName: ByteString | undefined;
  /** Name of the entry being read, for messages. */
  #current: ByteString | undefined;

  constructor(private readonly handler: TarHandler) {}

  /** Takes the next piece. */
  push(piece: Buffer): void {
    try {
      this.#push(piece);
    } catch (error) {
      throw this.#located(error);
    }
  }

  /** Says that nothing more comes. @throws EngineError `invalid-argument` when something is missing. */
  finish(): void {
    // An archive without the blocks that end it is common and complete, and clients leave out what fills its last one.
    const isBetween = this.#state === 'header' && this.#heldLength === 0 && !this.#inExtension();
    if (this.#state === 'trailer' || this.#state === 'filling' || isBetween) return;
    throw this.#located(invalidArgument('unexpected EOF: the archive is truncated'));
  }

  #inExtension(): boolean {
    return this.#local.length > 0 || this.#longName !== undefined || this.#longLinkName !== undefined;
  }

  #located(error: unknown): unknown {
    if (!EngineError.is(error) || this.#current === undefined || error.message.includes(printable(this.#current))) {
      return error;
    }
    return invalidArgument(`${printable(this.#current)}: ${error.message}`, { cause: error });
  }

  #push(piece: Buffer): void {
    let at = 0;
    /** Where the bytes begin that were not handed out yet. */
    let raw = 0;
    while (at < piece.length) {
      if (this.#state === 'trailer') {
        at = piece.length;
      } else if (this.#state === 'payload') {
        if (at > raw) this.handler.raw(piece.subarray(raw, at));
        const end = Math.min(piece.length, at + this.#remaining);
        this.handler.payload(piece.subarray(at, end));
        this.#remaining -= end - at;
        at = end;
        raw = end;
        if (this.#remaining === 0) this.#endPayload();
      } else if (this.#state === 'skip' || this.#state === 'filling') {
        const end = Math.min(piece.length, at + this.#remaining);
        this.#remaining -= end - at;
        at = end;
        if (this.#remaining === 0) this.#state = 'header';
      } else {
        const wanted = (this.#state === 'extension' ? this.#remaining : blockSize) - this.#heldLength;
        const end = Math.min(piece.length, at + wanted);
        const part = piece.subarray(at, end);
        at = end;
        if (part.length < wanted) this.#hold(part);
        else this.#whole(this.#release(part));
      }
    }
    if (at > raw) this.handler.raw(piece.subarray(raw, at));
  }

  /** The piece may be the source's to overwrite, so what has to wait is copied. */
  #hold(part: Buffer): void {
    this.#held.push(Buffer.from(part));
    this.#heldLength += part.length;
  }

  #release(part: Buffer): Buffer {
    if (this.#heldLength === 0) return part;
    const whole = Buffer.concat([...this.#held, part]);
    this.#held = [];
    this.#heldLength = 0;
    return whole;
  }

  #whole(block: Buffer): void {
    if (this.#state === 'extension') this.#extension(block);
    else if (this.#state === 'old-sparse') this.#moreOldSparse(block);
    else if (this.#state === 'sparse-prefix') this.#moreSparsePrefix(block);
    else this.#block(block);
  }

  #block(block: Buffer): void {
    if (isZeroBlock(block)) {
      if (this.#inExtension()) throw invalidArgument('the archive ends after an extension header');
      this.#zeroBlocks++;
      if (this.#zeroBlocks === 2) this.#state = 'trailer';
      return;
    }
    if (this.#zeroBlocks > 0) throw invalidArgument('the archive has an invalid tar header after a block of zeros');
    const header = decodeHeader(block);
    this.#header = header;
    this.#current = this.#longName ?? header.name;
    if ('xgXLK'.includes(header.type)) {
      if (header.size > maxExtension) throw invalidArgument('an extension header of the archive is too large');
      this.#remaining = header.size;
      this.#state = 'extension';
      if (header.size === 0) this.#extension(Buffer.alloc(0));
    } else if (header.type === 'S') {
      this.#oldSparse = { realSize: decodeNumber(block, 483, 12, 'real size'), regions: oldRegions(block, 386, 4) };
      if (block[482] === 0) this.#begin();
      else this.#state = 'old-sparse';
    } else this.#begin();
  }

  #extension(bytes: Buffer): void {
    const type = this.#header?.type;
    if (type === 'L') this.#longName = text(bytes, 0, bytes.length);
    else if (type === 'K') this.#longLinkName = text(bytes, 0, bytes.length);
    else if (type === 'g') this.#addGlobal(bytes);
    // What came in a piece that may be overwritten must last until the entry's own header.
    else this.#addLocal(bytes);
    this.#skip(filling(bytes.length));
  }

  #addLocal(bytes: Buffer): void {
    this.#localBytes += bytes.length;
    if (this.#localBytes > maxExtension) throw invalidArgument('the extension headers of an entry are too large');
    this.#local = [...this.#local, ...decodePax(Buffer.from(bytes))];
  }

  #addGlobal(bytes: Buffer): void {
    const records = new Map([...this.#global, ...decodePax(Buffer.from(bytes))].map((record) => [record.key, record]));
    this.#global = [...records.values()];
    const size = this.#global.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
    if (size > maxExtension) throw invalidArgument('the global headers of the archive are too large');
  }

  #moreOldSparse(block: Buffer): void {
    const sparse = this.#oldSparse;
    if (sparse === undefined) throw new Error('a block of a sparse map without its header');
    for (const region of oldRegions(block, 0, 21)) sparse.regions.push(region);
    if (sparse.regions.length * 24 > maxExtension) throw invalidArgument('the map of a sparse file is too large');
    if (block[504] === 0) this.#begin();
  }

  #begin(): void {
    const header = this.#header;
    if (header === undefined) throw new Error('an entry without its header');
    const member = toMember(
      header,
      { global: this.#global, local: this.#local, longName: this.#longName, longLinkName: this.#longLinkName },
      this.#oldSparse,
    );
    this.#local = [];
    this.#localBytes = 0;
    this.#longName = undefined;
    this.#longLinkName = undefined;
    this.#oldSparse = undefined;
    this.#member = member;
    this.#current = member.entry?.name;
    this.#remaining = member.payload;
    this.#padding = filling(member.payload);
    if (member.entry === undefined || member.entry.type === 'directory') {
      if (member.entry !== undefined) this.#emit(member.entry);
      this.#skip(member.payload + this.#padding);
    } else if (member.sparsePrefix !== undefined) {
      this.#sparsePrefix = new SparsePrefix();
      this.#state = 'sparse-prefix';
    } else {
      this.handler.begin(member.entry);
      this.#state = 'payload';
      if (this.#remaining === 0) this.#endPayload();
    }
  }

  #moreSparsePrefix(block: Buffer): void {
    const { entry, sparsePrefix } = this.#member ?? {};
    if (entry === undefined || sparsePrefix === undefined) throw new Error('a sparse map without its entry');
    this.#remaining -= blockSize;
    if (this.#remaining < 0) throw invalidArgument('the map of a sparse file is damaged');
    const regions = this.#sparsePrefix?.push(block);
    if (regions === undefined) return;
    const size = this.#remaining;
    this.handler.begin({ ...entry, size, sparse: sparseMap(sparsePrefix.realSize, regions, size) });
    this.#state = 'payload';
    if (size === 0) this.#endPayload();
  }

  #emit(entry: TarEntry): void {
    this.handler.begin(entry);
    this.handler.end();
  }

  #endPayload(): void {
    this.handler.end();
    this.#skip(this.#padding);
    if (this.#padding > 0) this.#state = 'filling';
  }

  #skip(length: number): void {
    this.#remaining = length;
    this.#state = length === 0 ? 'header' : 'skip';
  }
}

const filling = (length: number): number => (blockSize - (length % blockSize)) % blockSize;
