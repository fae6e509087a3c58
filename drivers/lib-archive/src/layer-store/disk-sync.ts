import { open } from 'node:fs/promises';
import type { Files } from '@gantry/lib-linux/files';

/** Writes back what was made, so that a power failure does not take it. Requests at the same time share one pass. */
export class DiskSync {
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(
    private readonly files: Files,
    private readonly directory: string,
  ) {}

  /** Resolves when everything on the filesystem, as it is now, is on the disk. */
  all(): Promise<void> {
    // The pass that runs may be past what has just been written.
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    this.#running = this.files.syncFilesystem(this.directory);
    this.#next = undefined;
    await this.#running;
  }
}

/** Resolves when the names in a directory, and what they name as far as it has no content, are on the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
