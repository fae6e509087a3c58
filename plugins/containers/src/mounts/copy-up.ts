import { mkdir, readdir, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { directoryOf, type Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import type { ReadyMount } from './ready-mount.js';

/**
 * Fills new, empty volumes with what the image has at their place. A copy that a crash cut off is made again: until
 * it is complete, a marker in the container's directory says that whatever the volume holds is half a copy. What is
 * mounted from memory is left as its options made it: it would be empty again at the next start.
 */
export async function copyUp(
  parts: Parts,
  record: ContainerRecord,
  rootfs: string,
  mounts: readonly ReadyMount[],
): Promise<void> {
  if (record.everStarted) return;
  for (const { mount, hostPath } of mounts) {
    if (mount.type !== 'volume' || !mount.copyUp || hostPath === undefined) continue;
    const source = await directoryInside(rootfs, mount.destination);
    if (source === undefined || (await isInMemory(hostPath))) continue;
    const marker = path.join(directoryOf(parts, record.id), `copying-${mount.name ?? ''}`);
    if (!(await isEmpty(hostPath)) && !(await exists(marker))) continue;
    await mkdir(path.dirname(marker), { recursive: true });
    await writeFile(marker, '');
    await empty(hostPath);
    await parts.copyTree(source, hostPath);
    await rm(marker, { force: true });
  }
}

const tmpfs = 0x01021994;

/** A file system of its own in memory; one that everything lies on is another matter. */
async function isInMemory(directory: string): Promise<boolean> {
  const [own, parent] = await Promise.all([stat(directory), stat(path.dirname(directory))]);
  return own.dev !== parent.dev && (await statfs(directory)).type === tmpfs;
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const isEmpty = async (directory: string): Promise<boolean> => (await readdir(directory)).length === 0;

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(path.join(directory, name), { recursive: true, force: true });
}

/** The directory at a path of the image; symbolic links must not lead out of it. Nothing runs in it yet. */
async function directoryInside(rootfs: string, destination: string): Promise<string | undefined> {
  try {
    const [root, source] = await Promise.all([realpath(rootfs), realpath(path.join(rootfs, destination))]);
    if (source !== root && !source.startsWith(`${root}/`)) return undefined;
    return (await stat(source)).isDirectory() ? source : undefined;
  } catch {
    return undefined;
  }
}
