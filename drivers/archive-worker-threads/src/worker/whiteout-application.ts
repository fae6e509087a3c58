import { type ByteString, parentOf } from '@gantry/lib-archive/tar';
import { removeAt, removeContent } from './remove-below.js';
import { statusOf } from './status.js';

/**
 * Carries whiteouts out on a tree that holds the lower layers too. They are about those: what the layer itself brought,
 * before or after, stays.
 */
export class WhiteoutApplication {
  readonly #made = new Set<ByteString>();

  constructor(private readonly base: ByteString) {}

  /** The layer has this, and so the directories it is in. */
  made(path: ByteString): void {
    for (let at = path; at !== this.base && at !== '' && !this.#made.has(at); at = parentOf(at)) this.#made.add(at);
  }

  hasMade(path: ByteString): boolean {
    return this.#made.has(path);
  }

  removed(path: ByteString): void {
    this.#made.delete(path);
  }

  /** Removes one thing. @returns whether something is gone that other paths may lead through. */
  remove(path: ByteString): boolean {
    const status = statusOf(path);
    if (status === undefined) return false;
    removeAt(path, status, this.#keepingOwn);
    return true;
  }

  /** Removes what is in a directory. @returns as `remove`. */
  empty(directory: ByteString): boolean {
    removeContent(directory, this.#keepingOwn);
    return true;
  }

  readonly #keepingOwn = {
    onFile: (path: ByteString): boolean => !this.#made.has(path),
    keepDirectory: (path: ByteString): boolean => this.#made.has(path),
  };
}
