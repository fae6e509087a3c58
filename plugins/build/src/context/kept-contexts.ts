import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable, PackageDirectories, replaceFile } from '@gantry/core/driver';
import { Host, type HostFacts } from '@gantry/lib-linux/host';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { CacheFacts } from '../contract/cache-facts.js';
import type { ContextListing, ContextTransfer } from '../contract/context-transfer.js';
import type { BuildContext } from './build-context.js';
import { ContextOpener } from './context-opener.js';

const manifestSchema = Type.Object({
  /** The files are not flushed to the disk, so they are trusted only until the host stops. */
  bootId: Type.String(),
  description: Type.String(),
  size: Type.Number(),
  created: Type.Number(),
  entries: Type.Array(Type.Tuple([Type.String(), Type.Boolean(), Type.String()])),
});

interface Options {
  readonly signal: AbortSignal;
}

/**
 * The files of clients' directories, kept between builds, so that only what has changed is transferred. A directory is
 * complete when it has its manifest, which is removed before anything is changed: a crash costs a whole transfer.
 */
@injectable()
export class KeptContexts {
  readonly #archive: ArchiveDriver;
  readonly #root: string;
  readonly #users = new Set<string>();
  #facts: Promise<HostFacts> | undefined;

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(PackageDirectories) directories: PackageDirectories,
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(Host.token) private readonly host: Host,
  ) {
    this.#archive = archives.get();
    this.#root = join(directories.root, 'kept-contexts');
  }

  /**
   * The context of a key, which names a directory of a client and what of it is transferred. It is transferred when a
   * step first needs a file; for a second build with the key at the same time, as a whole. The caller releases it.
   */
  async open(key: string, transfer: () => ContextTransfer, options: Options): Promise<BuildContext> {
    const id = createHash('sha256').update(key).digest('hex');
    if (this.#users.has(id)) return this.contexts.create(() => transfer().archive(new Set()), options);
    this.#users.add(id);
    try {
      return await this.contexts.createIn(join(this.#root, id, 'files'), {
        fill: () => this.#update(id, transfer(), options),
        release: () => this.#release(id),
      });
    } catch (error) {
      this.#users.delete(id);
      throw error;
    }
  }

  /** All that are complete, or were until a crash. */
  async list(): Promise<readonly CacheFacts[]> {
    const ids = await this.#ids();
    return Promise.all(
      ids.map(async (id): Promise<CacheFacts> => {
        const directory = join(this.#root, id);
        const [{ mtime: lastUsed, birthtime }, manifest] = await Promise.all([stat(directory), this.#manifest(id)]);
        return {
          id,
          type: 'source.local',
          description: manifest?.description ?? 'local source of an unfinished transfer',
          size: manifest?.size ?? (await this.#archive.treeSize(directory)),
          created: manifest === undefined ? birthtime : new Date(manifest.created),
          lastUsed,
          isInUse: this.#users.has(id),
        };
      }),
    );
  }

  /** Removes one unless a build uses it. Resolves to whether it is removed. */
  async remove(id: string): Promise<boolean> {
    if (this.#users.has(id)) return false;
    this.#users.add(id);
    try {
      await rm(this.#manifestFile(id), { force: true });
      await this.#archive.removeTree(join(this.#root, id));
      return true;
    } finally {
      this.#users.delete(id);
    }
  }

  async #update(id: string, transfer: ContextTransfer, { signal }: Options): Promise<void> {
    const files = join(this.#root, id, 'files');
    const [manifest, listing] = await Promise.all([this.#manifest(id), transfer.list()]);
    const known: ContextListing = new Map(
      manifest?.entries.map(([path, isDirectory, fingerprint]) => [path, { isDirectory, fingerprint }]),
    );
    await rm(this.#manifestFile(id), { force: true });
    crashPoint('build.context.update');
    if (manifest === undefined) await this.#archive.removeTree(files);
    await mkdir(files, { recursive: true, mode: 0o700 });
    const { unchanged, removed } = compare(known, listing);
    for (const path of removed) await this.#removeEntry(files, path);
    const stream = transfer.archive(unchanged);
    await this.#archive.extract({ stream, compression: 'none' }, files, '/', { signal, owner: { uid: 0, gid: 0 } });
    crashPoint('build.context.updated');
    const written: Static<typeof manifestSchema> = {
      bootId: await this.#bootId(),
      description: transfer.description,
      size: transfer.size,
      created: manifest?.created ?? Date.now(),
      entries: [...listing].map(([path, { isDirectory, fingerprint }]) => [path, isDirectory, fingerprint]),
    };
    await replaceFile(this.#manifestFile(id), JSON.stringify(written));
  }

  /** Removes what is at a path. Directories on the way are resolved inside the context, whatever a client listed. */
  async #removeEntry(files: string, path: string): Promise<void> {
    const parent = await this.#archive.resolveInRoot(files, dirname(path));
    if (parent.mode === undefined) return;
    await rm(join(files, parent.path, basename(path)), { recursive: true, force: true });
  }

  async #release(id: string): Promise<void> {
    this.#users.delete(id);
    const now = new Date();
    await utimes(join(this.#root, id), now, now).catch(() => undefined); // no step needed it, or it failed
  }

  #manifestFile(id: string): string {
    return join(this.#root, id, 'manifest.json');
  }

  /** It is the same as long as this process runs. */
  #bootId(): Promise<string> {
    this.#facts ??= this.host.facts();
    return this.#facts.then(({ bootId }) => bootId);
  }

  /** Undefined when the directory is not complete. */
  async #manifest(id: string): Promise<Static<typeof manifestSchema> | undefined> {
    try {
      const manifest: unknown = JSON.parse(await readFile(this.#manifestFile(id), 'utf8'));
      return Value.Check(manifestSchema, manifest) && manifest.bootId === (await this.#bootId()) ? manifest : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #ids(): Promise<readonly string[]> {
    try {
      return await readdir(this.#root);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

/**
 * What need not be transferred, and what has to go before the rest is: what is no longer there, and what became a
 * directory or is none any more. Other changed files are replaced as they come.
 */
export function compare(
  known: ContextListing,
  listing: ContextListing,
): { readonly unchanged: ReadonlySet<string>; readonly removed: readonly string[] } {
  const unchanged = new Set<string>();
  const removed: string[] = [];
  for (const [path, old] of known) {
    const now = listing.get(path);
    if (now !== undefined && now.fingerprint !== '' && now.fingerprint === old.fingerprint) unchanged.add(path);
    else if (now?.isDirectory !== old.isDirectory) removed.push(path);
  }
  return { unchanged, removed };
}
