import { type FSWatcher, watch } from 'node:fs';

/** How often a file is looked at that cannot be watched, in milliseconds. */
const pollEvery = 50;
/** How often a file is looked at that much is written to, in milliseconds; and how often in vain before it is watched. */
const busyEvery = 25;
const looksInVain = 4;

/** Tells when a file is written to. Costs nothing while it is not. */
export class SpoolWatch {
  #file = '';
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #isBusy = false;
  #looks = 0;

  constructor(private readonly changed: () => void) {}

  /** Watches this file instead of the one before. */
  begin(file: string): void {
    this.end();
    this.#file = file;
    try {
      this.#watcher = watch(file, { persistent: false }, () => this.changed());
      this.#watcher.on('error', () => this.#look(pollEvery));
    } catch {
      // Not there yet, or the host has no watches left.
      this.#look(pollEvery);
    }
  }

  /**
   * Much was written just now: for as long as this goes on, it is told by the clock. To tell of each write costs more
   * than the write, for who writes and for who is told.
   */
  busy(): void {
    this.#looks = 0;
    if (this.#isBusy || this.#file === '') return;
    this.#look(busyEvery);
    this.#isBusy = true;
  }

  end(): void {
    this.#file = '';
    this.#isBusy = false;
    this.#stop();
  }

  #look(every: number): void {
    this.#stop();
    this.#poll = setInterval(() => {
      if (this.#isBusy && ++this.#looks > looksInVain) this.begin(this.#file);
      this.changed();
    }, every);
    this.#poll.unref();
  }

  #stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
  }
}
