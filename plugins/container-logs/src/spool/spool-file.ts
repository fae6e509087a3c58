import { readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';

/** A file of a spool. */
export interface SpoolFile {
  path: string;
  /** Only the last file of a container may grow. The content of a discarded one was dropped, and the file is deleted. */
  state: 'growing' | 'complete' | 'discarded';
}

/**
 * Reads recent output, which is in the page cache: synchronously in a worker thread, where that is faster; not in the
 * main thread, which must not wait for a disk.
 */
export async function readAt(handle: FileHandle, buffer: Buffer, offset: number): Promise<number> {
  if (!isMainThread) return readSync(handle.fd, buffer, 0, buffer.length, offset);
  return (await handle.read(buffer, 0, buffer.length, offset)).bytesRead;
}

/** Undefined if the file does not exist. */
export async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Bytes; 0 if the file does not exist. */
export const sizeOf = ({ path }: SpoolFile): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
