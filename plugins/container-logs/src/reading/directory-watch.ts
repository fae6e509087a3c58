import { type FSWatcher, watch } from 'node:fs';

/** A look even if nothing was told, in milliseconds: hosts may have no watches left. */
const reassurance = 1000;

/** Tells when something is made or written in a directory. */
export class DirectoryWatch {
  #watcher: FSWatcher | undefined;
  #hasChanged = false;
  #wake: () => void = () => undefined;

  constructor(
    directory: string,
    private readonly period = reassurance,
  ) {
    try {
      this.#watcher = watch(directory, { persistent: false }, () => this.#tell());
      this.#watcher.on('error', () => this.#tell());
    } catch {
      // Not there yet: the next look comes by the clock.
    }
  }

  /** Resolves at the next change, at once when there was one since the last call, or when `other` settles. */
  async change(other: Promise<void> = new Promise(() => undefined)): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, this.period);
        other.then(resolve, resolve);
      });
    }
    clearTimeout(timer);
    this.#hasChanged = false;
  }

  close(): void {
    this.#watcher?.close();
  }

  #tell(): void {
    this.#hasChanged = true;
    this.#wake();
  }
}
