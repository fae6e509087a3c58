import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { diskSemaphore, type Logger, type Orphan } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { removeSmallTree } from './remove-small-tree.js';

let counter = 0;

/** A name that is used once. */
const uniqueName = (id: string): string => `${id.slice(0, 100)}-${process.pid}-${Date.now().toString(36)}-${counter++}`;

/** The directory where entries are prepared and where removed ones are deleted. Each start empties it. */
export class Discarded {
  constructor(
    readonly directory: string,
    private readonly archive: ArchiveDriver,
    private readonly log: Logger,
  ) {}

  readonly #underWay = new Set<Promise<void>>();
  /** What could not be removed, and why. */
  readonly #failed = new Map<string, string>();

  /** Starts to delete what a crash has left, in the background. */
  async clear(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const names = await readdir(this.directory);
    for (const name of names) this.removeLater(join(this.directory, name), { inUse: true });
  }

  /** Resolves when nothing is being deleted in the background. */
  async cleared(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** As `remove`, in the background. */
  removeLater(path: string, options: { readonly inUse: boolean }): void {
    const removal = this.remove(path, options).finally(() => this.#underWay.delete(removal));
    this.#underWay.add(removal);
  }

  /** An unused path in it. */
  newPath(id: string): string {
    return join(this.directory, uniqueName(id));
  }

  /**
   * Deletes a path in it. A failure is logged, and the path deleted by the next start: to the caller it is gone. `inUse`:
   * other processes may still change it.
   */
  async remove(path: string, options: { readonly inUse?: boolean } = {}): Promise<void> {
    try {
      await this.#remove(path, options.inUse === true);
    } catch (error) {
      this.#failed.set(path, messageOf(error));
      this.log.warn({ event: 'storage.removal.failed', path, error }, 'failed to delete; the next start tries again');
    }
  }

  /** What could not be removed since the start. */
  findOrphans(): readonly Orphan[] {
    return [...this.#failed].map(([path, reason]) => ({
      what: 'removed layer',
      name: path,
      reason,
      remove: () => this.#remove(path, true),
    }));
  }

  async #remove(path: string, inUse: boolean): Promise<void> {
    if (inUse || !(await diskSemaphore.run(() => removeSmallTree(path)))) await this.archive.removeTree(path);
    this.#failed.delete(path);
  }
}
