/** How LMDB lays out its data file (format 2, as the `lmdb` package writes it). All numbers are little-endian. */
export const magic = 0xbeefc0de;
export const formatVersion = 2;

export const pageHeaderSize = 24;
const nodeHeaderSize = 8;

export const PageKind = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 } as const;
export const NodeFlag = { bigData: 0x01, subTree: 0x02 } as const;

/** What a root that leads nowhere has for a page number. */
const noPage = 0xffff_ffff_ffff_ffffn;

/** One B+ tree: its root and what it says it has. */
export interface Tree {
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** Undefined when empty. */
  readonly root: number | undefined;
}

/** `MDB_db` of lmdb.c: where a tree begins, and how much is in it. */
export function readTree(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + 40);
  return {
    depth: bytes.readUInt16LE(at + 6),
    branchPages: Number(bytes.readBigUInt64LE(at + 8)),
    leafPages: Number(bytes.readBigUInt64LE(at + 16)),
    overflowPages: Number(bytes.readBigUInt64LE(at + 24)),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: root === noPage ? undefined : Number(root),
  };
}

/** One node of a branch or leaf page. */
export interface Node {
  readonly key: Buffer;
  readonly flags: number;
  /** Size of the value, wherever it is kept. Of leaves only. */
  readonly size: number;
  /** Where the page goes on after the key. */
  readonly dataAt: number;
  /** The page below. Of branches only. */
  readonly child: number;
}

/** Reads a page's nodes. @throws Error in the words of a fault when they do not lie within the page. */
export function readNodes(page: Buffer): Node[] {
  const isLeaf = (page.readUInt16LE(18) & PageKind.leaf) !== 0;
  const lower = page.readUInt16LE(20);
  const upper = page.readUInt16LE(22);
  const room = page.length - pageHeaderSize;
  if (lower % 2 !== 0 || lower > upper || upper > room) throw new Error('has impossible bounds');
  return Array.from({ length: lower / 2 }, (_, index) => readNode(page, index, upper, isLeaf));
}

function readNode(page: Buffer, index: number, upper: number, isLeaf: boolean): Node {
  const offset = page.readUInt16LE(pageHeaderSize + index * 2);
  const at = offset + pageHeaderSize;
  if (offset < upper || at + nodeHeaderSize > page.length) throw new Error(`has node ${index} outside its bounds`);
  const low = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 2 ** 16;
  const flags = page.readUInt16LE(at + 4);
  const dataAt = at + nodeHeaderSize + page.readUInt16LE(at + 6);
  const inline = !isLeaf ? 0 : (flags & NodeFlag.bigData) !== 0 ? 24 : low;
  if (dataAt + inline > page.length) throw new Error(`has node ${index} reaching beyond its end`);
  return {
    key: page.subarray(at + nodeHeaderSize, dataAt),
    flags,
    size: low,
    dataAt,
    child: low + flags * 2 ** 32,
  };
}
