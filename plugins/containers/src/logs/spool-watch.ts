import { type FSWatcher, watch } from 'node:fs';

/** How often a file is looked at that cannot be watched, in milliseconds. */
const pollEvery = 50;

/** Tells when a file is written to. Costs nothing while it is not. */
export class SpoolWatch {
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(private readonly changed: () => void) {}

  /** Watches this file instead of the one before. */
  begin(file: string): void {
    this.end();
    try {
      this.#watcher = watch(file, { persistent: false }, () => this.changed());
      this.#watcher.on('error', () => this.#beginPoll());
    } catch {
      // Not there yet, or the host has no watches left.
      this.#beginPoll();
    }
  }

  end(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  #beginPoll(): void {
    this.end();
    this.#poll = setInterval(() => this.changed(), pollEvery);
    this.#poll.unref();
  }
}
