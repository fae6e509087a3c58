import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { kernelFiles } from '@gantry/lib-linux/files';

/**
 * What a directory holds, by path: type, mode, owner, links, time of the last change, extended attributes and content.
 * @param isIncluded says of a path whether it, and what is below it, is described.
 */
export async function describeTree(
  root: string,
  isIncluded: (name: string) => boolean = () => true,
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  /** By inode: a file may have hundreds of links. */
  const digests = new Map<bigint, string>();
  const digestOf = async (file: string, inode: bigint): Promise<string> => {
    const known =
      digests.get(inode) ??
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
    digests.set(inode, known);
    return known;
  };
  const visit = async (name: string): Promise<void> => {
    if (!isIncluded(name)) return;
    const whole = path.join(root, name);
    const status = await lstat(whole, { bigint: true });
    found[name] = [
      `mode ${status.mode.toString(8)} owner ${status.uid}:${status.gid} device ${status.rdev} modified ${status.mtimeNs}`,
      ...(status.isFile() ? [`links ${status.nlink}`] : []),
      ...kernelFiles
        .listAttributes(whole)
        .toSorted()
        .map((each) => `${each}=${kernelFiles.getAttribute(whole, each)?.toString('hex')}`),
      ...(status.isSymbolicLink() ? [`to ${await readlink(whole)}`] : []),
      ...(status.isFile() ? [await digestOf(whole, status.ino)] : []),
    ].join(' ');
    if (status.isDirectory()) for (const child of await readdir(whole)) await visit(path.join(name, child));
  };
  for (const name of await readdir(root)) await visit(name);
  return found;
}
