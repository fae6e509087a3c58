import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import type { ArchiveRoot, TreeMount } from '@gantry/core/contracts';
import { forbidden, invalidArgument, notFound, notImplemented } from '@gantry/core/errors';
import { type ByteString, joined, parentOf } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';

const maxLinks = 40;

/** Where a path leads inside a root. */
interface Place {
  /** Without links; empty for the root. */
  readonly path: ByteString;
  /** Undefined when nothing is there. */
  readonly status: Stats | undefined;
}

/** A directory of the host, with links resolved inside it. Not for roots that other processes change meanwhile. */
export class HostTree {
  readonly #directory: string;
  readonly #mounts: readonly (TreeMount & { readonly source: string })[];
  readonly #isReadOnly: boolean;

  constructor(root: ArchiveRoot) {
    const { directory, mounts, readOnly } =
      typeof root === 'string' ? { directory: root, mounts: [], readOnly: false } : root;
    this.#directory = directory;
    this.#isReadOnly = readOnly;
    this.#mounts = mounts.map((mount) => {
      const { source } = mount;
      if (typeof source === 'string') return { ...mount, source };
      throw notImplemented(`the memory driver does not show the tmpfs of process ${source.pid}`);
    });
  }

  /** The path on the host. Its last component may be a link, those before are none. */
  hostPath(path: ByteString): Buffer {
    const mount = this.#mountOf(path);
    const [base, rest] =
      mount === undefined ? [this.#directory, path] : [mount.source, path.slice(targetOf(mount).length + 1)];
    return Buffer.concat([Buffer.from(rest === '' ? base : `${base}/`), Buffer.from(rest, 'latin1')]);
  }

  status(path: ByteString): Stats | undefined {
    try {
      return lstatSync(this.hostPath(path));
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  }

  /** @throws EngineError `forbidden`. */
  requireWritable(path: ByteString): void {
    if (this.#mountOf(path)?.readOnly ?? this.#isReadOnly) throw forbidden(`/${path}: the file system is read-only`);
  }

  /** Follows the links of a path; the last one only if asked to. @throws EngineError `invalid-argument` for a circle. */
  follow(name: ByteString, { last = true }: { readonly last?: boolean } = {}): Place {
    const waiting = partsOf(name).reverse();
    let at = '';
    let links = 0;
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (part === '..') {
        at = parentOf(at);
        continue;
      }
      const path = joined(at, part);
      if (this.status(path)?.isSymbolicLink() !== true || (waiting.length === 0 && !last)) {
        at = path;
        continue;
      }
      if (++links > maxLinks) throw invalidArgument(`/${name}: too many levels of symbolic links`);
      const target = readlinkSync(this.hostPath(path), 'latin1');
      if (target.startsWith('/')) at = '';
      waiting.push(...partsOf(target).reverse());
    }
    return { path: at, status: this.status(at) };
  }

  /**
   * What is at a path; a link at its end is followed only when a slash follows it, and then it must lead to a directory.
   * @throws EngineError `not-found`, `invalid-argument`.
   */
  find(path: string): Required<Place> & { readonly status: Stats } {
    const name = bytesOf(path);
    const isDirectory = /\/\.?$/.test(name);
    const { path: found, status } = this.follow(name, { last: isDirectory });
    if (status === undefined) throw notFound(`${path}: no such file or directory`);
    if (isDirectory && !status.isDirectory()) throw invalidArgument(`${path}: not a directory`);
    return { path: found, status };
  }

  /** The longest target above a path; of two with the same target, the later one. */
  #mountOf(path: ByteString): (TreeMount & { readonly source: string }) | undefined {
    const above = this.#mounts.filter((mount) => `${path}/`.startsWith(`${targetOf(mount)}/`));
    return above.sort((one, other) => targetOf(one).length - targetOf(other).length).at(-1);
  }
}

const partsOf = (name: ByteString): string[] => name.split('/').filter((part) => part !== '' && part !== '.');

const targetOf = ({ target }: TreeMount): ByteString => partsOf(bytesOf(target)).join('/');

/** A string as the bytes of its UTF-8. */
export const bytesOf = (text: string): ByteString => Buffer.from(text).toString('latin1');

export const textOf = (bytes: ByteString): string => Buffer.from(bytes, 'latin1').toString();
