import type { ByStream, PlainLinesLimits } from './plain-lines.js';
import { longestAfter, QuickCode } from './quick-code.js';

/** One for all logs of a thread, made when the first of them gets much to write; null where the processor is too old. */
let code: QuickCode | null | undefined;

/** Encodes whole lines of ASCII, which most are, sixteen bytes at once. */
export class QuickLines {
  /** Where in the spool the last call stopped. */
  next = 0;
  /** What of the spool the code has. */
  #from = 0;
  #to = 0;

  private constructor(
    private readonly quick: QuickCode,
    private readonly spool: Uint8Array,
  ) {}

  /** For the lines of one batch. Undefined when what comes after a text is too long for it, or it cannot be had. */
  static of(spool: Uint8Array, after: ByStream<Uint8Array>): QuickLines | undefined {
    if (after.some(({ length }) => length > longestAfter)) return undefined;
    if (code === undefined) {
      try {
        code = new QuickCode();
      } catch {
        code = null;
      }
    }
    if (code === null) return undefined;
    code.after = after;
    return new QuickLines(code, spool);
  }

  /**
   * Encodes lines until one is none of these, or its stream is left out, or `room` is exceeded. Sets `next`.
   * @returns where to go on in `out`.
   */
  encode(from: number, out: Uint8Array, start: number, { room, leftOut }: Omit<PlainLinesLimits, 'most'>): number {
    const mask = (leftOut[0] ? 1 : 0) | (leftOut[1] ? 2 : 0);
    let at = from;
    let done = start;
    while (done <= room && at < this.spool.length) {
      if (at < this.#from || at >= this.#to) this.#load(at);
      const next = this.#from + this.quick.run(at - this.#from, this.#to - this.#from, room - done, mask);
      const { output } = this.quick;
      out.set(output, done);
      done += output.length;
      if (next > at) at = next;
      // The line may only go on behind what was loaded.
      else if (this.#to < this.spool.length && this.#from < at) this.#load(at);
      else break;
    }
    this.next = at;
    return done;
  }

  #load(from: number): void {
    this.#from = from;
    this.#to = from + this.quick.load(this.spool, from);
  }
}
