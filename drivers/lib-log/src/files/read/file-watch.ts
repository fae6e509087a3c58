import { type FSWatcher, watch } from 'node:fs';

/** Milliseconds between checks without a notification. */
const reassurance = 2000;

/** Waits until the file at a path changes, is rotated or replaced. */
export class FileWatch {
  #watcher: FSWatcher | undefined;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  /** Watches the file that is at the path now. Earlier changes are not reported. */
  begin(path: string): void {
    this.#watcher?.close();
    try {
      this.#watcher = watch(path, { persistent: false }, () => this.wake());
      this.#watcher.on('error', () => this.wake());
    } catch {
      this.#hasChanged = true; // gone already
    }
  }

  /** Resolves at the next change or `wake`; at once when there was one since the last call. */
  async change(): Promise<void> {
    if (!this.#hasChanged) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, reassurance);
      });
      clearTimeout(timer);
    }
    this.#hasChanged = false;
    this.#wake = undefined;
  }

  wake(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }

  close(): void {
    this.#watcher?.close();
  }
}
