import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import type { ByteString } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import type { Files } from '@gantry/lib-linux/files';
import { isWhiteout, opaqueAttribute } from './status.js';

/** What a stack of layers shows at a path. */
interface LowerEntry {
  /** Where it is on the host. */
  readonly path: Buffer;
  readonly status: BigIntStats;
}

/**
 * A directory as a stack of layers shows it: the directories of that name in each layer, topmost first, down to one
 * that hides what is below it. Works with the host's own paths. It never goes through a link, because it only goes from
 * directory to directory, and layers do not change.
 */
export class LowerView {
  readonly #directories: readonly Buffer[];
  readonly #files: Pick<Files, 'getAttribute'>;

  private constructor(directories: readonly Buffer[], files: Pick<Files, 'getAttribute'>) {
    this.#directories = directories;
    this.#files = files;
  }

  static of(layers: readonly string[], files: Pick<Files, 'getAttribute'>): LowerView {
    return new LowerView(
      layers.map((layer) => Buffer.from(layer)),
      files,
    );
  }

  static readonly nothing = new LowerView([], { getAttribute: () => undefined });

  get isEmpty(): boolean {
    return this.#directories.length === 0;
  }

  /** What has that name. */
  entry(name: ByteString): LowerEntry | undefined {
    for (const directory of this.#directories) {
      const path = below(directory, name);
      const status = statusAt(path);
      if (status !== undefined) return isWhiteout(status) ? undefined : { path, status };
    }
    return undefined;
  }

  /** The directory of that name; nothing when there is none. */
  directory(name: ByteString): LowerView {
    const found: Buffer[] = [];
    for (const directory of this.#directories) {
      const path = below(directory, name);
      const status = statusAt(path);
      if (status === undefined) continue;
      if (!status.isDirectory()) break;
      found.push(path);
      if (this.#isOpaque(path)) break;
    }
    return found.length === 0 ? LowerView.nothing : new LowerView(found, this.#files);
  }

  /** What the directory itself is like: as the topmost layer has it. */
  self(): BigIntStats | undefined {
    const [top] = this.#directories;
    return top === undefined ? undefined : statusAt(top);
  }

  /** The names in it. */
  names(): ByteString[] {
    const names = new Set(this.#directories.flatMap((directory) => readdirSync(directory, 'latin1')));
    return [...names].filter((name) => this.entry(name) !== undefined);
  }

  #isOpaque(path: Buffer): boolean {
    return this.#files.getAttribute(path, opaqueAttribute)?.toString('latin1') === 'y';
  }
}

export function linkTextAt(path: Buffer): ByteString {
  return readlinkSync(path, 'latin1');
}

const below = (directory: Buffer, name: ByteString): Buffer =>
  Buffer.concat([directory, slash, Buffer.from(name, 'latin1')]);

const slash = Buffer.from('/');

function statusAt(path: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    if (isErrno(error, 'ENOTDIR', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}
