import { messageOf } from '@gantry/core/errors';
import { type Node, NodeFlag, PageKind, pageHeaderSize, readNodes, type Tree } from './layout.js';
import type { Meta, ReadAt } from './meta.js';

/** A leaf's entry with the value it leads to. */
interface Entry {
  readonly key: Buffer;
  readonly flags: number;
  readonly value: Buffer;
}

/**
 * Reads trees of a data file, checking every page before using it, and continues past damaged ones. LMDB itself does not
 * check its pages: a damaged one may silently lose records or crash the process (see docs/adr/0015).
 */
export class TreeWalk {
  readonly faults: string[] = [];
  /** Pages that a tree uses, the two meta pages included. */
  readonly used: Uint8Array;

  constructor(
    private readonly readAt: ReadAt,
    private readonly meta: Meta,
  ) {
    this.used = new Uint8Array(meta.lastPage + 1).fill(1, 0, 2);
  }

  walk(name: string, tree: Tree, visit: (entry: Entry) => void): void {
    if (tree.root === undefined) {
      if (tree.entries !== 0) this.faults.push(`${name} says it has ${tree.entries} records, and has no root`);
      return;
    }
    const before = this.faults.length;
    const found = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    let last: Buffer | undefined;
    const descend = (number: number, level: number): void => {
      const nodes = this.#nodes(name, number, level === tree.depth ? PageKind.leaf : PageKind.branch);
      if (nodes === undefined) return;
      if (level < tree.depth) {
        found.branchPages++;
        for (const node of nodes) descend(node.child, level + 1);
        return;
      }
      found.leafPages++;
      for (const node of nodes) {
        found.entries++;
        if (last !== undefined && name !== 'free pages' && Buffer.compare(last, node.key) >= 0) {
          this.faults.push(`page ${number} (${name}) is out of order`);
        }
        last = Buffer.from(node.key);
        const value = this.#value(name, number, node, found);
        if (value !== undefined) visit({ key: last, flags: node.flags, value });
      }
    };
    descend(tree.root, 1);
    if (this.faults.length > before) return;
    for (const count of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
      if (found[count] !== tree[count]) {
        this.faults.push(`${name} has ${found[count]} ${count} where it says ${tree[count]}`);
      }
    }
  }

  #nodes(name: string, number: number, kind: number): (Node & { readonly page: Buffer })[] | undefined {
    const page = this.#take(name, number, 1);
    if (page === undefined) return undefined;
    try {
      if (page.readUInt16LE(18) !== kind) throw new Error('is of another kind');
      return readNodes(page).map((node) => ({ ...node, page }));
    } catch (error) {
      this.faults.push(`page ${number} (${name}) ${messageOf(error)}`);
      return undefined;
    }
  }

  #value(
    name: string,
    number: number,
    node: Node & { readonly page: Buffer },
    found: { overflowPages: number },
  ): Buffer | undefined {
    const { page, dataAt, size } = node;
    if ((node.flags & NodeFlag.bigData) === 0) return Buffer.from(page.subarray(dataAt, dataAt + size));
    const first = Number(page.readBigUInt64LE(dataAt));
    const count = Number(page.readBigUInt64LE(dataAt + 16));
    // A value put twice in one transaction keeps the pages of the larger.
    if (count * this.meta.pageSize < pageHeaderSize + size) {
      this.faults.push(`page ${number} (${name}) leads to a value of impossible size`);
      return undefined;
    }
    const pages = this.#take(name, first, count);
    if (pages === undefined) return undefined;
    found.overflowPages += count;
    if (pages.readUInt16LE(18) !== PageKind.overflow || pages.readUInt32LE(20) !== count) {
      this.faults.push(`page ${first} (${name}) is not the value it should be`);
      return undefined;
    }
    return pages.subarray(pageHeaderSize, pageHeaderSize + size);
  }

  /** Reads pages and marks them as used. */
  #take(name: string, first: number, count: number): Buffer | undefined {
    const { pageSize, lastPage, transaction } = this.meta;
    const fault = (problem: string): undefined => {
      this.faults.push(`page ${first} (${name}) ${problem}`);
      return undefined;
    };
    if (!(first >= 2) || first + count - 1 > lastPage) return fault('is not in the file');
    for (let number = first; number < first + count; number++) {
      if (this.used[number] !== 0) return fault('is used twice');
      this.used[number] = 1;
    }
    const bytes = this.readAt(first * pageSize, count * pageSize);
    if (bytes.length < count * pageSize) return fault('is beyond the end of the file');
    if (Number(bytes.readBigUInt64LE(0)) !== first) return fault('is another page');
    if (Number(bytes.readBigUInt64LE(8)) > transaction) return fault('is newer than the file');
    return bytes;
  }
}
