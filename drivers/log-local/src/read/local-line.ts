import type { LineReader } from '@gantry/lib-log/files';
import { kindAt, kinds, newline, space, textAt } from '../line.js';

/** Reads the lines of a block one by one. The fields describe the line that `decode` returned true for. */
export class LocalLine implements LineReader {
  next = 0;
  timeAt = 0;
  /** Where in the block the text begins and ends. */
  start = 0;
  end = 0;
  isError = false;
  isFull = true;
  readonly foreign = undefined;

  /** The text stays in the block. */
  decode(block: Buffer, at: number, blockEnd: number): boolean {
    const end = block.indexOf(newline, at);
    this.next = end < 0 || end >= blockEnd ? at : end + 1;
    if (this.next === at || end < at + textAt) return false;
    const kind = block[at + kindAt];
    const isKnown = kind === kinds.full[0] || kind === kinds.full[1] || this.#isUnfinished(kind);
    if (!isKnown || block[at + kindAt - 1] !== space || block[at + kindAt + 1] !== space || !isTime(block, at))
      return false;
    this.timeAt = at;
    this.start = at + textAt;
    this.end = end;
    this.isFull = !this.#isUnfinished(kind);
    this.isError = kind === kinds.full[1] || kind === kinds.unfinished[1];
    return true;
  }

  #isUnfinished(kind: number | undefined): boolean {
    return kind === kinds.unfinished[0] || kind === kinds.unfinished[1];
  }
}

/** Of a damaged line, such as one that a crash of the host left, the time is mostly none either. */
const isTime = (block: Buffer, at: number): boolean =>
  block[at + 4] === 0x2d && block[at + 10] === 0x54 && block[at + 13] === 0x3a && block[at + 19] === 0x2e; // - T : .
