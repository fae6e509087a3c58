import { invalidArgument } from '@gantry/core/errors';
import { archiveEnd, encodeEntry, paddingOf, plainEntry } from '@gantry/lib-archive/tar';
import type { Metadata } from '../grpc/grpc-client.js';
import type { FileStat } from '../protocol/messages.js';
import type { ClientSession } from './client-session.js';
import { DirectoryTransfer, type TransferredEntry } from './directory-transfer.js';
import { entryTypeOf, isRegularFile, permissionsOf } from './go-file-mode.js';

/** Largest file that is read as a text, in bytes. */
const maxTextLength = 2 ** 20;

/** Small files are joined to blocks of this length, in bytes: each is a message to a thread. */
const blockLength = 2 ** 16;

interface Selection {
  /** Only these paths, and what links among them lead to; undefined for all. */
  readonly paths?: readonly string[] | undefined;
  /** Patterns of an ignore file. */
  readonly excluded?: readonly string[];
  readonly signal: AbortSignal;
  /** Called with the number of bytes of content that were received so far. */
  readonly onProgress?: (received: number) => void;
}

/** A directory of the client, under the name that the client gave it for its builds. */
export class ClientDirectory {
  constructor(
    private readonly session: ClientSession,
    private readonly name: string,
  ) {}

  /** Regular files by path, as texts. Absent ones are left out. */
  async texts(paths: readonly string[], { signal }: Selection): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for await (const { stat, content } of this.transfer({ paths, signal }).entries()) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) {
        if (stat.size > maxTextLength) throw invalidArgument(`${stat.path} is too large to be a text`);
        chunks.push(chunk);
      }
      if (entryTypeOf(stat.mode) === 'file') texts.set(stat.path, Buffer.concat(chunks).toString('utf8'));
    }
    return texts;
  }

  /** Of the client, as it names the directory that its builds share; empty when it does not. */
  key(excluded: readonly string[]): string {
    const { sharedKey } = this.session;
    return sharedKey === '' ? '' : JSON.stringify([sharedKey, this.name, excluded]);
  }

  /** An uncompressed tar of the directory, or of what of its transfer is not left out. */
  async *archive(
    selection: Selection,
    transfer = this.transfer(selection),
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let chunks: Uint8Array[] = [];
    let length = 0;
    for await (const entry of transfer.entries()) {
      const small = smallEntry(entry);
      if (small === undefined) {
        if (length > 0) yield Buffer.concat(chunks);
        [chunks, length] = [[], 0];
        yield* tarEntry(entry);
      } else {
        chunks.push(...small);
        length += small.reduce((sum, chunk) => sum + chunk.length, 0);
      }
      if (length >= blockLength) {
        yield Buffer.concat(chunks);
        [chunks, length] = [[], 0];
      }
      selection.onProgress?.(transfer.received);
    }
    yield Buffer.concat([...chunks, archiveEnd]);
  }

  transfer({ paths, excluded = [], signal }: Selection): DirectoryTransfer {
    const metadata = {
      ...header('dir-name', [this.name]),
      ...(paths !== undefined && header('followpaths', paths)),
      ...(excluded.length > 0 && header('exclude-patterns', excluded)),
    };
    return new DirectoryTransfer(this.session.readDirectory(metadata, { signal }));
  }
}

/**
 * Equal for two listings of an entry only where it is unchanged. Empty for a hard link, whose content is that of another
 * entry.
 */
export function fingerprintOf({ mode, size, modTime, linkname, devmajor, devminor, xattrs }: FileStat): string {
  if (isRegularFile(mode) && linkname !== '') return '';
  const attributes = Object.entries(xattrs).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return JSON.stringify([mode, size, modTime, linkname, devmajor, devminor, ...attributes.sort()]);
}

/** Headers are ASCII: other values are encoded as in an address, and marked so. */
function header(name: string, values: readonly string[]): Metadata {
  if (values.every((value) => /^[\x20-\x7e]*$/.test(value))) return { [name]: values };
  return { [name]: values.map(encodeURIComponent), [`${name}-encoded`]: '1' };
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** The header and content of an entry without content that is still to come; undefined for another. */
function smallEntry({ stat, received }: TransferredEntry): readonly Uint8Array[] | undefined {
  if (received === undefined) return undefined;
  const entry = headerOf(stat);
  if (entry === undefined) return [];
  if (entry.type !== 'file') return [encodeEntry({ ...entry, size: 0 })];
  // What the client has now counts: a small file may have changed since it was listed.
  const size = received.reduce((sum, chunk) => sum + chunk.length, 0);
  return [encodeEntry({ ...entry, size }), ...received, Buffer.alloc(paddingOf(size))];
}

/** A large file. */
async function* tarEntry({ stat, content }: TransferredEntry): AsyncGenerator<Uint8Array, void, undefined> {
  const entry = headerOf(stat);
  if (entry === undefined) return;
  const size = entry.type === 'file' ? stat.size : 0;
  yield encodeEntry({ ...entry, size });
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > size) break;
    yield chunk;
  }
  if (length !== size) throw invalidArgument(`${stat.path} changed while it was transferred`);
  yield Buffer.alloc(paddingOf(size));
}

/** Undefined for what no tar has. */
function headerOf(stat: FileStat) {
  const type = entryTypeOf(stat.mode);
  if (type === undefined) return undefined;
  const seconds = Math.floor(stat.modTime / 1e9);
  return {
    ...plainEntry,
    name: latin1(type === 'directory' ? `${stat.path}/` : stat.path),
    type: type === 'file' && stat.linkname !== '' ? ('link' as const) : type,
    mode: permissionsOf(stat.mode),
    modified: { seconds, nanoseconds: Math.max(0, Math.min(999_999_999, stat.modTime - seconds * 1e9)) },
    linkName: latin1(stat.linkname),
    major: stat.devmajor,
    minor: stat.devminor,
    attributes: new Map(Object.entries(stat.xattrs).map(([name, value]) => [latin1(name), Buffer.from(value)])),
  };
}
