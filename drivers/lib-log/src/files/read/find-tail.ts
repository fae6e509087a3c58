import { type Block, blockSize, readCompressedBlocks } from './blocks.js';
import type { Reading } from './line-form.js';
import type { LogFile } from './open-files.js';

/** Where to start reading: a file, and an offset in it; in compressed ones, how many records to skip. */
export interface Place {
  readonly file: number;
  readonly offset: number;
  readonly skip: number;
  /** The rest of the last file, if it was read already. */
  readonly block?: Block;
}

/** Bytes of the first read, as a tail is mostly short; each further read is four times as long. */
const firstRead = 8 * 1024;

/** Finds the last `count` records that are selected, reading backwards. */
export async function findTail(files: readonly LogFile[], reading: Reading, count: number): Promise<Place> {
  let wanted = count;
  for (let index = files.length - 1; index >= 0; index--) {
    const file = files[index] as LogFile;
    if (wanted === 0) return { file: index, offset: file.size, skip: 0 };
    if (file.isCompressed) {
      let found = 0;
      for await (const block of readCompressedBlocks(file)) found += matches(block, reading).length;
      if (found >= wanted) return { file: index, offset: 0, skip: found - wanted };
      wanted -= found;
      continue;
    }
    const { offset, block, found } = await findInFile(file, reading, wanted);
    if (offset !== undefined) {
      return { file: index, offset, skip: 0, ...(index === files.length - 1 && block !== undefined && { block }) };
    }
    wanted -= found;
    if (wanted === 0) return { file: index, offset: 0, skip: 0 };
  }
  return { file: 0, offset: 0, skip: 0 };
}

interface LastTail {
  readonly start: Place;
  /** False if the file has fewer records: it is to be read from its beginning, after older ones. */
  readonly isWhole: boolean;
}

/** The same in the last file only. */
export async function findTailInLast(file: LogFile, reading: Reading, count: number): Promise<LastTail> {
  if (count === 0) return { start: { file: 0, offset: file.size, skip: 0 }, isWhole: true };
  const { offset, block } = await findInFile(file, reading, count);
  const start = { file: 0, offset: offset ?? 0, skip: 0, ...(block !== undefined && { block }) };
  return { start, isWhole: offset !== undefined };
}

async function findInFile(
  file: LogFile,
  reading: Reading,
  wanted: number,
): Promise<{ readonly found: number; readonly offset: number | undefined; readonly block?: Block }> {
  let found = 0;
  let whole: Block | undefined;
  let look = firstRead;
  for (let end = file.size; end > 0; look = Math.min(look * 4, blockSize)) {
    const start = Math.max(0, end - look);
    const buffer = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, start);
    const bytes = buffer.subarray(0, bytesRead);
    // A block that starts in the middle of a line leaves that line to the block before.
    const first = start === 0 ? 0 : bytes.indexOf(0x0a) + 1;
    // The line is longer than what was read.
    if (start > 0 && look < blockSize && (first === 0 || start + first === end)) continue;
    const places = lastMatches(bytes.subarray(first), reading, wanted - found);
    if (found + places.length === wanted) {
      const place = first + (places.at(-1) ?? 0);
      const result = { found: wanted, offset: start + place };
      if (end !== file.size) return result;
      // One read was enough, and contains everything.
      return { ...result, block: wholeLines(bytes, place, start) };
    }
    found += places.length;
    if (start === 0 && end === file.size && bytes.includes(0x0a)) whole = wholeLines(bytes, 0, start);
    end = first === 0 || start + first === end ? start : start + first;
  }
  return { found, offset: undefined, ...(whole !== undefined && { block: whole }) };
}

/** The lines from a place on of bytes that were read at `start`. */
function wholeLines(bytes: Buffer, from: number, start: number): Block {
  const last = bytes.lastIndexOf(0x0a) + 1;
  return { bytes: bytes.subarray(from, last), nextAt: start + last };
}

/** Offsets in a block of at most so many of the last selected records, the last one first. */
function lastMatches(block: Buffer, { filter, form }: Reading, most: number): number[] {
  const line = form.lineReader();
  const text = Buffer.allocUnsafe(block.length);
  const places: number[] = [];
  for (let end = block.lastIndexOf(0x0a) + 1; end > 0 && places.length < most; ) {
    const at = end < 2 ? 0 : block.lastIndexOf(0x0a, end - 2) + 1;
    if (line.decode(block, at, end, text, 0) && filter.accepts(line, block)) places.push(at);
    end = at;
  }
  return places;
}

/** Offsets in a block of the selected records. */
export function matches(block: Buffer, { filter, form }: Reading): number[] {
  const line = form.lineReader();
  const text = Buffer.allocUnsafe(block.length);
  const places: number[] = [];
  for (let at = 0; at < block.length; at = line.next) {
    if (line.decode(block, at, block.length, text, 0)) {
      if (filter.accepts(line, block)) places.push(at);
    } else if (line.next === at) break;
  }
  return places;
}
