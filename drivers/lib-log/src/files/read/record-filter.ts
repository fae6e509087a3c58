import type { LogQuery } from '@gantry/core/contracts';
import { timeLength } from '../write/line-encoder.js';
import type { LineReader } from './line-form.js';
import { formatTime } from './time.js';

/** Selects the records of a query by their bytes. */
export class RecordFilter {
  readonly #since: Buffer | undefined;
  readonly #until: Buffer | undefined;

  constructor(private readonly query: LogQuery) {
    this.#since = query.since === undefined ? undefined : formatTime(query.since);
    this.#until = query.until === undefined ? undefined : formatTime(query.until);
  }

  get hasEnd(): boolean {
    return this.#until !== undefined;
  }

  /** Which streams, 1 for stdout and 2 for stderr, when nothing but the stream is asked for. */
  get onlyStreams(): number | undefined {
    const { stdout, stderr, since, until } = this.query;
    return since === undefined && until === undefined ? (stdout ? 1 : 0) | (stderr ? 2 : 0) : undefined;
  }

  accepts(line: LineReader, block: Buffer): boolean {
    if (!(line.isError ? this.query.stderr : this.query.stdout)) return false;
    return !this.isBefore(line, block) && !this.isAfter(line, block);
  }

  isBefore(line: LineReader, block: Buffer): boolean {
    const { since } = this.query;
    if (since === undefined || this.#since === undefined) return false;
    return line.foreign === undefined ? compareTime(block, line.timeAt, this.#since) < 0 : line.foreign.time < since;
  }

  isAfter(line: LineReader, block: Buffer): boolean {
    const { until } = this.query;
    if (until === undefined || this.#until === undefined) return false;
    return line.foreign === undefined ? compareTime(block, line.timeAt, this.#until) > 0 : line.foreign.time > until;
  }
}

function compareTime(block: Buffer, at: number, time: Buffer): number {
  for (let index = 0; index < timeLength; index++) {
    const difference = (block[at + index] as number) - (time[index] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
