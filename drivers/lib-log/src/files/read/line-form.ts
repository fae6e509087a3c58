import type { LogPage } from '@gantry/core/contracts';
import type { RecordFilter } from './record-filter.js';

/**
 * Reads the lines of a block one by one. The fields describe the line that `decode` returned true for.
 */
export interface LineReader {
  /** Where the next line begins; the same place when the line's end is not in the block. */
  readonly next: number;
  readonly isError: boolean;
  /** Where in the block the time is, UTC without a zone as `formatTime` writes it, unless `foreign`. */
  readonly timeAt: number;
  /** A line that another program wrote in a form of its own. */
  readonly foreign: { readonly time: bigint } | undefined;
  /**
   * Decodes the line at `at` and writes its text to `out`, which has room for as many bytes as the line has.
   * False: there is no whole line before `blockEnd`, or it is damaged.
   */
  decode(block: Buffer, at: number, blockEnd: number, out: Buffer, start: number): boolean;
}

/** What the lines of a driver's files are. */
export interface LineForm {
  lineReader(): LineReader;
  /** The records of a block of whole lines. @param out what to make frames in, if that has room. */
  page(block: Buffer, filter: RecordFilter, out?: Buffer): LogPage;
}

/** How a query reads files. */
export interface Reading {
  readonly filter: RecordFilter;
  readonly form: LineForm;
}
