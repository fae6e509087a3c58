import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalidArgument, messageOf, unavailable } from '@gantry/core/errors';
import { extract } from 'tar-stream';

/** An archive with more members is refused. */
const memberLimit = 100_000;

/** Larger documents are refused, as a document is read into memory. */
const documentLimit = 16 * 2 ** 20;

/**
 * The members of an image archive, each written to a file with a name of the engine's choice. Links between members,
 * by which older engines write equal layers, are resolved on access.
 */
export class ArchiveFiles {
  readonly #files = new Map<string, string>();
  readonly #links = new Map<string, string>();

  private constructor(private readonly directory: string) {}

  /** Writes an archive to a new directory. The stream is consumed or destroyed. On rejection nothing is left. */
  static async spill(
    archive: Readable,
    directory: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ArchiveFiles> {
    await mkdir(directory, { mode: 0o700 });
    const files = new ArchiveFiles(directory);
    try {
      await files.#read(archive, options);
    } catch (error) {
      await files.dispose();
      if (options.signal?.aborted === true) throw error;
      if (isDiskFull(error))
        throw unavailable(`the archive does not fit on the disk: ${messageOf(error)}`, { cause: error });
      throw invalidArgument(`the archive cannot be read: ${messageOf(error)}`, { cause: error });
    }
    return files;
  }

  names(): readonly string[] {
    return [...this.#files.keys(), ...this.#links.keys()];
  }

  has(name: string): boolean {
    return this.#resolve(name) !== undefined;
  }

  /** The file with a member's content. @throws EngineError `invalid-argument` naming it. */
  file(name: string): string {
    const file = this.#resolve(name);
    if (file === undefined) throw invalidArgument(`the archive has no ${JSON.stringify(name)}`);
    return file;
  }

  /** A member's exact text. */
  async text(name: string): Promise<string> {
    const file = this.file(name);
    const { size } = await stat(file);
    if (size > documentLimit) {
      throw invalidArgument(`${JSON.stringify(name)} in the archive has ${size} bytes, more than ${documentLimit}`);
    }
    return readFile(file, 'utf8');
  }

  /** A member as JSON. */
  async json(name: string): Promise<unknown> {
    const text = await this.text(name);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw invalidArgument(`${JSON.stringify(name)} in the archive is not JSON: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  dispose(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }

  async #read(archive: Readable, { signal }: { readonly signal?: AbortSignal }): Promise<void> {
    const entries = extract();
    let members = 0;
    const feeding = pipeline(archive, entries, ...(signal === undefined ? [] : [{ signal }]));
    feeding.catch(() => undefined);
    for await (const entry of entries) {
      const name = normalize(entry.header.name);
      members += 1;
      if (members > memberLimit) throw new Error(`it has more than ${memberLimit} members`);
      if (entry.header.type === 'file' || entry.header.type === 'contiguous-file') {
        const file = path.join(this.directory, String(members));
        this.#files.set(name, file);
        this.#links.delete(name);
        await pipeline(entry, createWriteStream(file, { mode: 0o600 }));
      } else {
        const { type, linkname } = entry.header;
        if (type === 'symlink')
          this.#links.set(name, normalize(path.posix.join(path.posix.dirname(name), linkname ?? '')));
        if (type === 'link') this.#links.set(name, normalize(linkname ?? ''));
        entry.resume();
      }
    }
    await feeding;
    if (this.#files.size === 0) throw new Error('it has no files');
  }

  #resolve(name: string): string | undefined {
    let current = normalize(name);
    for (let steps = 0; steps < 16; steps += 1) {
      const file = this.#files.get(current);
      if (file !== undefined) return file;
      const target = this.#links.get(current);
      if (target === undefined) return undefined;
      current = target;
    }
    return undefined;
  }
}

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException)?.code));

const normalize = (name: string): string =>
  path.posix
    .normalize(name)
    .replace(/^(\.?\/)+/, '')
    .replace(/\/$/, '');
