import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Asks a disk to write something down, which one that hangs does not do. */
export class DiskPulse {
  #file: FileHandle | undefined;
  #asking = false;

  constructor(readonly directory: string) {}

  /** Whether the disk still owes an answer. */
  get isOwed(): boolean {
    return this.#asking;
  }

  /** Asks unless it is asked already. That nothing can be written is an answer, too. */
  ask(): void {
    if (this.#asking) return;
    this.#asking = true;
    const answered = (): void => {
      this.#asking = false;
    };
    this.#write().then(answered, answered);
  }

  /** Until the next question no file is open. */
  async rest(): Promise<void> {
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

  /** Without a name, so that nothing is left of it. */
  async #open(): Promise<FileHandle> {
    const path = join(this.directory, 'pulse');
    const file = await open(path, 'w', 0o600);
    await rm(path, { force: true });
    return file;
  }
}
