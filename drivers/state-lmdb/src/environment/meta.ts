import { formatVersion, magic, pageHeaderSize, readTree, type Tree } from './layout.js';

/** The start of the newest complete snapshot in a data file. */
export interface Meta {
  readonly pageSize: number;
  /** Of the last page that may be in use. */
  readonly lastPage: number;
  /** Rises by one with every commit. */
  readonly transaction: number;
  readonly free: Tree;
  readonly main: Tree;
}

/** As much of a meta page as is read here. */
const metaSize = pageHeaderSize + 136;

/** Where the bytes are read from; short at the end of the file. */
export type ReadAt = (position: number, length: number) => Buffer;

/** Reads both meta pages and takes the newer. @throws Error saying what is wrong with the file as a whole. */
export function readMeta(readAt: ReadAt): Meta {
  const first = parseMeta(readAt(0, metaSize));
  const pageSize = first?.pageSize ?? 4096;
  const second = parseMeta(readAt(pageSize, metaSize));
  if (first === undefined || second === undefined) throw new Error('it does not begin as an LMDB data file does');
  return first.transaction > second.transaction ? first : second;
}

function parseMeta(page: Buffer): Meta | undefined {
  const at = pageHeaderSize;
  if (page.length < metaSize || page.readUInt32LE(at) !== magic) return undefined;
  const version = page.readUInt32LE(at + 4);
  if ((version & 0xffff) !== formatVersion) throw new Error(`it has format ${version}, not ${formatVersion}`);
  const pageSize = page.readUInt32LE(at + 24);
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  return {
    pageSize,
    free: readTree(page, at + 24),
    main: readTree(page, at + 72),
    lastPage: Number(page.readBigUInt64LE(at + 120)),
    transaction: Number(page.readBigUInt64LE(at + 128)),
  };
}
