import { invalidArgument } from '@gantry/core/errors';
import type { ByteString, EntryType, SparseMap, SparseRegion, TarEntry } from './entry.js';
import type { Header } from './header.js';
import { type PaxRecord, PaxValues } from './pax.js';
import { type PaxSparse, paxSparse, sparseMap } from './sparse.js';

/** What extension headers said about the member whose header comes next. */
interface Extensions {
  readonly global: readonly PaxRecord[];
  readonly local: readonly PaxRecord[];
  readonly longName: ByteString | undefined;
  readonly longLinkName: ByteString | undefined;
}

/** A member: what it is, how many bytes follow it, and what of them is not yet understood. */
export interface Member {
  /** Undefined: a known type that is not extracted (a volume label). */
  readonly entry: TarEntry | undefined;
  /** Bytes that follow the header, without what fills up the last block. */
  readonly payload: number;
  /** The payload begins with the map of a sparse file; `realSize` goes with it. */
  readonly sparsePrefix: { readonly realSize: number } | undefined;
}

const types: Readonly<Record<string, EntryType>> = {
  '0': 'file',
  '1': 'link',
  '2': 'symlink',
  '3': 'character-device',
  '4': 'block-device',
  '5': 'directory',
  '6': 'fifo',
  '7': 'file',
  D: 'directory',
  S: 'file',
};

/** Lays the extension headers over a header. @throws EngineError `invalid-argument` naming the entry. */
export function toMember(
  header: Header,
  extensions: Extensions,
  oldSparse: { readonly realSize: number; readonly regions: readonly SparseRegion[] } | undefined,
): Member {
  const pax = new PaxValues([...extensions.global, ...extensions.local]);
  const sparse = paxSparse(pax.sparse);
  const name = sparse?.name ?? pax.text('path') ?? extensions.longName ?? header.name;
  if (header.type === 'V' || header.type === 'M') {
    return { entry: undefined, payload: header.size, sparsePrefix: undefined };
  }
  const type = typeOf(header, name);
  // The size of what has no content is of no meaning, and writers have put all kinds of numbers there.
  const payload = type === 'file' || header.type === 'D' ? (pax.number('size') ?? header.size) : 0;
  const entry: TarEntry = {
    name,
    type,
    mode: header.mode,
    uid: pax.number('uid') ?? header.uid,
    gid: pax.number('gid') ?? header.gid,
    size: type === 'file' ? payload : 0,
    modified: pax.time('mtime') ?? { seconds: header.seconds, nanoseconds: 0 },
    accessed: pax.time('atime'),
    linkName: pax.text('linkpath') ?? extensions.longLinkName ?? header.linkName,
    major: header.major,
    minor: header.minor,
    attributes: pax.attributes,
    sparse: type === 'file' ? sparseOf(sparse, oldSparse, payload) : undefined,
  };
  const realSize = sparse?.regions === undefined && type === 'file' ? sparse?.realSize : undefined;
  return { entry, payload, sparsePrefix: realSize === undefined ? undefined : { realSize } };
}

function typeOf(header: Header, name: ByteString): EntryType {
  const type = types[header.type];
  if (type === undefined) throw invalidArgument(`the archive's entry ${name} has the unknown type "${header.type}"`);
  // Archives from before directories had a type.
  return header.type === '0' && name.endsWith('/') ? 'directory' : type;
}

function sparseOf(
  sparse: PaxSparse | undefined,
  oldSparse: { readonly realSize: number; readonly regions: readonly SparseRegion[] } | undefined,
  payload: number,
): SparseMap | undefined {
  if (oldSparse !== undefined) return sparseMap(oldSparse.realSize, withoutEnd(oldSparse.regions), payload);
  if (sparse?.regions === undefined || sparse.realSize === undefined) return undefined;
  return sparseMap(sparse.realSize, sparse.regions, payload);
}

/** Some writers mark the end of the file with a piece of length 0. */
const withoutEnd = (regions: readonly SparseRegion[]): readonly SparseRegion[] =>
  regions.filter(({ length }) => length > 0);
