import { mkdir, readdir, readlink, rename, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { StoredLayer } from '@gantry/core/contracts';
import { isErrno } from '@gantry/lib-linux';

/** Name of the symbolic link to an entry's parent. As a link, it is on the disk as soon as its directory is. */
const parentLink = 'parent';

/**
 * The layers or the writables: one directory each, with an index in memory. An entry appears and disappears by one rename,
 * so that there is never a partial one.
 */
export class EntryIndex {
  readonly #parents = new Map<string, string | undefined>();

  constructor(readonly directory: string) {}

  async load(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    this.#parents.clear();
    const ids = await readdir(this.directory);
    const entries = await Promise.all(ids.map(async (id) => [id, await parentIn(this.path(id))] as const));
    for (const [id, parent] of entries) this.#parents.set(id, parent);
  }

  has(id: string): boolean {
    return this.#parents.has(id);
  }

  parentOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  list(): readonly StoredLayer[] {
    return [...this.#parents].map(([id, parent]) => ({ id, parent }));
  }

  childOf(parent: string): string | undefined {
    return this.list().find((entry) => entry.parent === parent)?.id;
  }

  path(id: string): string {
    return join(this.directory, id);
  }

  /** Makes a prepared directory an entry. */
  async add(id: string, parent: string | undefined, prepared: string): Promise<void> {
    if (parent !== undefined) await symlink(join('..', '..', 'layers', parent), join(prepared, parentLink));
    await rename(prepared, this.path(id));
    this.#parents.set(id, parent);
  }

  /** Moves an entry out of the index. It is absent from now on, so that nothing can be put on it any more. */
  async moveOut(id: string, to: string): Promise<void> {
    const parent = this.#parents.get(id);
    this.#parents.delete(id);
    try {
      await rename(this.path(id), to);
    } catch (error) {
      this.#parents.set(id, parent);
      throw error;
    }
  }
}

async function parentIn(directory: string): Promise<string | undefined> {
  try {
    return basename(await readlink(join(directory, parentLink)));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
