import { createHash, type Hash } from 'node:crypto';
import { invalidArgument } from '@gantry/core/errors';
import { digestWith, type End, formatName, formatVersion, type Header, type Item } from './records.js';

/** No line is longer: the last one lists the entries of the whole backup. */
const longestLine = 256 * 2 ** 20;
/** Writers send pieces of about a mebibyte. */
const longestPiece = 64 * 2 ** 20;

/** Reads a backup in its order, and checks its digest at the end. Throws EngineError `invalid-argument` for a damaged one. */
export class BackupReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #digest = createHash('sha256');
  #buffered: Uint8Array = new Uint8Array();
  /** Whether pieces of a tree are to be read before the next item. */
  #isInTree = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Rejects `invalid-argument` for anything but a backup that this engine can read. */
  async header(): Promise<Header> {
    const header = (await this.#line()).value as Partial<Header>;
    if (header.format !== formatName) throw invalidArgument('it is not a backup of this engine');
    if (!Number.isInteger(header.version)) throw invalidArgument('the version of its format is missing');
    if (Number(header.version) > formatVersion) {
      throw invalidArgument(
        `its format is version ${header.version}, made by Gantry ${header.engine}; this engine reads up to version ${formatVersion}`,
      );
    }
    return header as Header;
  }

  /** The next item. The last is an `end` whose digest was right. */
  async item(): Promise<Item> {
    if (this.#isInTree) for await (const _ of this.tree());
    const before = this.#digest.copy();
    const { value } = await this.#line();
    const item = value as Item;
    if (item.kind === 'tree') this.#isInTree = true;
    if (item.kind === 'end') await this.#checkEnd(item, before);
    return item;
  }

  /** The archive of the item that was read last, a tree. */
  async *tree(): AsyncGenerator<Uint8Array, void> {
    while (this.#isInTree) {
      const length = Buffer.from(await this.#exactly(4)).readUInt32BE();
      if (length > longestPiece) throw damaged(`a piece of ${length} bytes`);
      if (length === 0) this.#isInTree = false;
      else yield await this.#exactly(length);
    }
  }

  async #checkEnd(end: End, before: Hash): Promise<void> {
    const digest = digestWith(before, end);
    if (end.sha256 !== digest) throw damaged(`its digest is ${digest}, but ${end.sha256} was written`);
    if (this.#buffered.length > 0 || (await this.#more())) throw damaged('there is more behind its end');
  }

  async #line(): Promise<{ readonly value: unknown }> {
    for (let searched = 0; ; ) {
      const at = this.#buffered.indexOf(10, searched);
      if (at >= 0) {
        const bytes = await this.#exactly(at + 1);
        try {
          return { value: JSON.parse(Buffer.from(bytes).toString()) };
        } catch {
          throw damaged('a line is not JSON');
        }
      }
      searched = this.#buffered.length;
      if (searched > longestLine) throw damaged('a line is too long');
      if (!(await this.#more())) throw damaged('it ends too early');
    }
  }

  async #exactly(length: number): Promise<Uint8Array> {
    while (this.#buffered.length < length) if (!(await this.#more())) throw damaged('it ends too early');
    const bytes = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    this.#digest.update(bytes);
    return bytes;
  }

  /** Reads on. False at the end of the source. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value]);
    return true;
  }
}

const damaged = (what: string): Error => invalidArgument(`the backup is damaged: ${what}`);
