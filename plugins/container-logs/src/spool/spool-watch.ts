import { type FSWatcher, watch } from 'node:fs';

/** Milliseconds between checks of a file that cannot be watched. */
const fallbackInterval = 50;
/** Milliseconds between checks of a file with high-throughput output, and how many idle ones until it is watched again. */
const busyInterval = 25;
const maxIdleChecks = 4;

/** Calls back when a file is written to. Costs nothing while it is not. */
export class SpoolWatch {
  #file = '';
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #isBusy = false;
  #idleChecks = 0;

  constructor(private readonly onChange: () => void) {}

  /** Watches this file instead of the previous one. */
  start(file: string): void {
    this.stop();
    this.#file = file;
    try {
      this.#watcher = watch(file, { persistent: false }, () => this.onChange());
      this.#watcher.on('error', () => this.#startPolling(fallbackInterval));
    } catch {
      // It does not exist yet, or the host has no watches left.
      this.#startPolling(fallbackInterval);
    }
  }

  /** The file has high-throughput output: polls it while that lasts, as a notification costs more than the write. */
  busy(): void {
    this.#idleChecks = 0;
    if (this.#isBusy || this.#file === '') return;
    this.#startPolling(busyInterval);
    this.#isBusy = true;
  }

  stop(): void {
    this.#file = '';
    this.#isBusy = false;
    this.#release();
  }

  #startPolling(interval: number): void {
    this.#release();
    this.#poll = setInterval(() => {
      if (this.#isBusy && ++this.#idleChecks > maxIdleChecks) this.start(this.#file);
      this.onChange();
    }, interval);
    this.#poll.unref();
  }

  #release(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
  }
}
