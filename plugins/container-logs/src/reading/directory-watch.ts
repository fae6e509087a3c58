import { type FSWatcher, watch } from 'node:fs';

/** Milliseconds between checks without a notification: the host may have no watches left. */
const fallbackInterval = 1000;

/** Waits for changes in a directory. */
export class DirectoryWatch {
  #watcher: FSWatcher | undefined;
  #hasChanged = false;
  #wake: () => void = () => undefined;

  constructor(
    directory: string,
    private readonly interval = fallbackInterval,
  ) {
    try {
      this.#watcher = watch(directory, { persistent: false }, () => this.#onChange());
      this.#watcher.on('error', () => this.#onChange());
    } catch {
      // It does not exist yet: it is checked at the interval.
    }
  }

  /** Resolves at the next change, immediately if there was one since the last call, or when `other` settles. */
  async change(other: Promise<void> = new Promise(() => undefined)): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, this.interval);
        other.then(resolve, resolve);
      });
    }
    clearTimeout(timer);
    this.#hasChanged = false;
  }

  close(): void {
    this.#watcher?.close();
  }

  #onChange(): void {
    this.#hasChanged = true;
    this.#wake();
  }
}
