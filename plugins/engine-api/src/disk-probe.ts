import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a few bytes durably, which a disk that hangs does not complete. */
export class DiskProbe {
  #file: FileHandle | undefined;
  #isPending = false;

  constructor(readonly directory: string) {}

  /** Whether a write has begun and not completed. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** Begins a write unless one is pending. A write that fails has completed, too. */
  begin(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    const complete = (): void => {
      this.#isPending = false;
    };
    this.#write().then(complete, complete);
  }

  /** Closes the file until the next write. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  async #write(): Promise<void> {
    const file = this.#file ?? (await this.#open());
    this.#file = file;
    await file.write(`${Date.now()}\n`, 0);
    await file.datasync();
  }

  /** The file has no name, so that nothing is left of it. */
  async #open(): Promise<FileHandle> {
    const path = join(this.directory, 'pulse');
    const file = await open(path, 'w', 0o600);
    await rm(path, { force: true });
    return file;
  }
}
