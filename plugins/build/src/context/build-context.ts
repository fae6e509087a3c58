import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { IgnoreFile } from '../ignore/ignore-file.js';

/** Largest build or ignore file, in bytes. */
const maxTextBytes = 2 ** 20;
const fileType = 0o170000;
export const isDirectory = (mode: number): boolean => (mode & fileType) === 0o040000;
const isFile = (mode: number): boolean => (mode & fileType) === 0o100000;

/** Where the files of a context come from. */
export interface ContextFiles {
  /** Writes the files when a step first needs one. */
  readonly fill?: (directory: string) => Promise<void>;
  /** Called when the context is released. */
  readonly release?: () => Promise<void>;
}

/** The files of a build, in a temporary directory. Links are resolved inside it. */
export class BuildContext {
  #filled: Promise<void> | undefined;

  private constructor(
    private readonly base: string,
    /** The root for sources of COPY and ADD. */
    readonly directory: string,
    private readonly archive: ArchiveDriver,
    private readonly source: ContextFiles = {},
  ) {}

  /** An empty context, which the caller releases. `fill` writes its files when a step first needs one. */
  static async create(
    parent: string,
    archive: ArchiveDriver,
    fill?: (directory: string) => Promise<void>,
  ): Promise<BuildContext> {
    const base = join(parent, randomBytes(16).toString('hex'));
    const directory = join(base, 'context');
    // Not by `recursive`, which tries the inner one first.
    await mkdir(base, { mode: 0o700 });
    await mkdir(directory, { mode: 0o700 });
    return new BuildContext(base, directory, archive, fill === undefined ? {} : { fill });
  }

  /** A context whose files are in a directory that outlives it. The caller releases it. */
  static async createIn(
    directory: string,
    parent: string,
    archive: ArchiveDriver,
    files: ContextFiles,
  ): Promise<BuildContext> {
    const base = join(parent, randomBytes(16).toString('hex'));
    await Promise.all([base, directory].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
    return new BuildContext(base, directory, archive, files);
  }

  /** Resolves to the directory once its files are there. */
  async files(): Promise<string> {
    this.#filled ??= this.source.fill?.(this.directory) ?? Promise.resolve();
    await this.#filled;
    return this.directory;
  }

  /** The context with a subdirectory as its root. Rejects `invalid-argument` when there is no such directory. */
  async subdirectory(path: string): Promise<BuildContext> {
    const found = await this.archive.resolveInRoot(this.directory, path);
    if (found.mode === undefined || !isDirectory(found.mode)) {
      throw invalidArgument(`the context has no directory ${path}`);
    }
    return new BuildContext(this.base, join(this.directory, found.path), this.archive);
  }

  /** A new directory for a download, removed with the context. */
  async scratch(): Promise<string> {
    const directory = join(this.base, randomBytes(8).toString('hex'));
    await mkdir(directory, { mode: 0o700 });
    return directory;
  }

  /** Text of a regular file; undefined when there is none. */
  async text(path: string): Promise<string | undefined> {
    const file = await this.#find(path);
    if (file === undefined || !isFile(file.mode)) return undefined;
    if (file.size > maxTextBytes) throw invalidArgument(`${path} is too large to be a text`);
    return readFile(join(this.directory, file.path), 'utf8');
  }

  /** What a path leads to. Only a link, or a path with directories, which may be links, takes a thread of the archive. */
  async #find(
    path: string,
  ): Promise<{ readonly path: string; readonly mode: number; readonly size: number } | undefined> {
    if (basename(path) === path) {
      const found = await statusOf(join(this.directory, path));
      if (found?.isSymbolicLink() !== true) return found && { path, mode: found.mode, size: found.size };
    }
    const { path: found, mode, entries } = await this.archive.listTree(this.directory, path);
    return mode === undefined ? undefined : { path: found, mode, size: entries[0]?.size ?? 0 };
  }

  /** Removes ignored files. */
  async ignore(file: IgnoreFile, options: { readonly signal: AbortSignal }): Promise<void> {
    if (file.isEmpty) return;
    const { entries } = await this.archive.listTree(this.directory, '/', options);
    // The paths of a listing contain no links, and nothing else changes these files.
    for (const path of await file.removals(
      entries.map((entry) => entry.path),
      options,
    )) {
      await rm(join(this.directory, path), { recursive: true, force: true });
    }
  }

  async release(): Promise<void> {
    await this.#filled?.catch(() => undefined);
    await this.archive.removeTree(this.base);
    await this.source.release?.();
  }
}

/** Undefined when there is nothing at a path. */
async function statusOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
