import { invalidArgument } from '@gantry/core/errors';
import type { ByteString, SparseMap, SparseRegion } from './entry.js';
import { decodeNumber } from './numbers.js';
import { type PaxRecord, parseWhole } from './pax.js';

/** More pieces than this and the map itself is the attack. */
const maxRegions = 1_000_000;

/** What the PAX records say about a sparse file. */
export interface PaxSparse {
  readonly name: ByteString | undefined;
  readonly realSize: number | undefined;
  /** Undefined: the map stands at the beginning of the payload (format 1.0). */
  readonly regions: readonly SparseRegion[] | undefined;
}

/** Reads the records of the three PAX formats, 0.0, 0.1 and 1.0. Undefined when the entry is not sparse. */
export function paxSparse(records: readonly PaxRecord[]): PaxSparse | undefined {
  if (records.length === 0) return undefined;
  const last = (key: string): string | undefined =>
    records.findLast((record) => record.key === `GNU.sparse.${key}`)?.value.toString('latin1');
  const size = last('realsize') ?? last('size');
  const realSize = size === undefined ? undefined : parseWhole('GNU.sparse.size', size);
  const name = last('name');
  if (last('major') === '1') return { name, realSize, regions: undefined };
  const map = last('map');
  const numbers =
    map !== undefined
      ? map.split(',')
      : records.flatMap(({ key, value }) =>
          key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes' ? [value.toString('latin1')] : [],
        );
  return { name, realSize, regions: pairs(numbers.filter((number) => number !== '')) };
}

function pairs(numbers: readonly string[]): SparseRegion[] {
  if (numbers.length % 2 !== 0) throw invalidArgument('the map of a sparse file is damaged');
  return numbers.flatMap((text, index) =>
    index % 2 === 1
      ? []
      : [{ offset: parseWhole('GNU.sparse', text), length: parseWhole('GNU.sparse', numbers[index + 1] ?? '') }],
  );
}

/** Pieces in a header of the old format, or in a block that goes on with it. Those with length 0 at the end are unused. */
export function oldRegions(block: Buffer, offset: number, count: number): SparseRegion[] {
  const regions: SparseRegion[] = [];
  for (let at = offset; at < offset + count * 24; at += 24) {
    if (block[at] === 0) break;
    regions.push({
      offset: decodeNumber(block, at, 12, 'sparse offset'),
      length: decodeNumber(block, at + 12, 12, 'sparse length'),
    });
  }
  return regions;
}

/**
 * Reads the map at the beginning of a payload (format 1.0): decimal numbers, one a line, filled up to whole blocks.
 * Takes whole blocks until `regions` is there.
 */
export class SparsePrefix {
  #text = '';
  #numbers: string[] = [];
  #wanted: number | undefined;

  /** @returns the map, when this was its last block. */
  push(block: Buffer): readonly SparseRegion[] | undefined {
    const lines = (this.#text + block.toString('latin1')).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      if (this.#wanted === undefined) {
        this.#wanted = parseWhole('GNU.sparse', line) * 2;
        if (this.#wanted > maxRegions * 2) throw invalidArgument('the map of a sparse file is too large');
      } else if (this.#numbers.length < this.#wanted) this.#numbers.push(line);
    }
    return this.#wanted !== undefined && this.#numbers.length === this.#wanted ? pairs(this.#numbers) : undefined;
  }
}

/** Checks that the pieces are in order, inside the file and as long as the payload. */
export function sparseMap(realSize: number, regions: readonly SparseRegion[], payload: number): SparseMap {
  let end = 0;
  let total = 0;
  for (const { offset, length } of regions) {
    if (offset < end || offset + length > realSize) throw invalidArgument('the map of a sparse file is damaged');
    end = offset + length;
    total += length;
  }
  if (total !== payload || regions.length > maxRegions) throw invalidArgument('the map of a sparse file is damaged');
  return { realSize, regions };
}
