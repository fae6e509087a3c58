import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError, messageOf, unavailable } from '../errors/engine-error.js';
import { syncPath } from './sync-path.js';

/** A file that is written from its beginning to its end. */
export interface WritableFile {
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * Writes a file that is there as a whole, and on the disk, or not at all; only its owner may read it. An existing file is
 * replaced. @throws EngineError `unavailable` naming the file when it cannot be written.
 */
export async function writeFileAtomically<T>(file: string, write: (file: WritableFile) => Promise<T>): Promise<T> {
  const path = resolve(file);
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    let written: T;
    try {
      written = await write({ write: (bytes) => writeAll(handle, bytes) });
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await syncPath(dirname(path));
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    throw EngineError.is(error) ? error : unavailable(`cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}
