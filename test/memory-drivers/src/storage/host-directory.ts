import {
  type BigIntStats,
  chmodSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type ByteString, joined } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import { kernelFiles } from '@gantry/lib-linux/files';
import type { MemoryTree, Node } from './memory-tree.js';

/** A path below a host directory, which need not be UTF-8. */
const hostPath = (directory: string, path: ByteString): Buffer =>
  Buffer.concat([Buffer.from(path === '' ? directory : `${directory}/`), Buffer.from(path, 'latin1')]);

/** Makes a directory that holds a tree. What needs rights the process does not have is left out. */
export function materialise(tree: MemoryTree, directory: string): void {
  const paths = [...tree.nodes.keys()].sort();
  const made = new Map<Node, Buffer>();
  for (const path of paths) {
    const node = tree.nodes.get(path);
    if (node === undefined) continue;
    const to = hostPath(directory, path);
    const first = node.type === 'directory' ? undefined : made.get(node);
    if (first !== undefined) linkSync(first, to);
    else if (makeNode(node, to)) made.set(node, to);
  }
  // From the inside out, since what is made in a directory changes its times.
  for (const path of paths.reverse()) {
    const node = tree.nodes.get(path);
    const to = hostPath(directory, path);
    if (node !== undefined && lstatSync(to, { throwIfNoEntry: false }) !== undefined) describe(node, to);
  }
}

/** Makes what a node is, without its metadata. @returns whether the process may. */
export function makeNode(node: Node, to: Buffer): boolean {
  if (node.type === 'directory') mkdirSync(to, { recursive: true });
  else if (node.type === 'symlink') symlinkSync(Buffer.from(node.target, 'latin1'), to);
  else if (node.type === 'file') writeFileSync(to, node.content);
  else if (node.type === 'fifo') kernelFiles.makeFifo(to, 0o600);
  else {
    const kind = node.type === 'block-device' ? 'block' : 'character';
    return ifAllowed(() => kernelFiles.makeDevice(to, kind, node.major, node.minor, 0o600));
  }
  return true;
}

/** Sets the metadata of a node on what was made. */
export function describe(node: Node, to: Buffer): void {
  ifAllowed(() => lchownSync(to, node.uid, node.gid));
  if (node.type !== 'symlink') chmodSync(to, node.mode);
  for (const [name, value] of node.attributes) ifAllowed(() => kernelFiles.setAttribute(to, name, value));
  kernelFiles.setTimes(to, node.accessed ?? node.modified, node.modified);
}

function ifAllowed(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (!isErrno(error, 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP')) throw error;
    return false;
  }
}

/** What is at a path of a host directory, with the metadata of its content that is cheap to read. */
export interface Found {
  readonly status: BigIntStats;
  readonly target: ByteString;
}

/** Everything in a host directory, the directory itself as the empty path. */
export function scan(directory: string, path: ByteString = '', found = new Map<ByteString, Found>()) {
  const at = hostPath(directory, path);
  const status = lstatSync(at, { bigint: true });
  found.set(path, { status, target: status.isSymbolicLink() ? readlinkSync(at, 'latin1') : '' });
  if (status.isDirectory()) {
    for (const name of readdirSync(at, 'latin1')) scan(directory, joined(path, name), found);
  }
  return found;
}

export const contentOf = (directory: string, path: ByteString): Buffer => readFileSync(hostPath(directory, path));

export const attributesOf = (directory: string, path: ByteString): Map<string, Buffer> => {
  const at = hostPath(directory, path);
  return new Map(
    kernelFiles.listAttributes(at).flatMap((name) => {
      const value = kernelFiles.getAttribute(at, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
};
