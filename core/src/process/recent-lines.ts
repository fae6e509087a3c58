import type { DestinationStream } from 'pino';
import type { RecentLog } from '../kernel/logging/recent-log.js';

/** Passes the lines of a log on, and keeps the last ones. */
export class RecentLines implements DestinationStream, RecentLog {
  readonly #lines: string[] = [];
  /** Where the next line goes once there are enough. */
  #next = 0;

  /** @param limit bounds the number of lines. @param longest bounds the characters of each. */
  constructor(
    private readonly destination: DestinationStream,
    private readonly limit = 500,
    private readonly longest = 2000,
  ) {}

  write(line: string): void {
    this.#lines[this.#next] = line.length > this.longest ? `${line.slice(0, this.longest)}…` : line.trimEnd();
    this.#next = (this.#next + 1) % this.limit;
    this.destination.write(line);
  }

  lines(): readonly string[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
  }
}
