import { createHash, type Hash } from 'node:crypto';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { Lifetime } from '@gantry/core/driver';
import { forbidden, invalidArgument, notFound } from '@gantry/core/errors';
import { type ByteString, normalise, TarReader } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import type { ExtractRequest, ExtractResult } from '../pool/jobs.js';
import { withChroot } from './chroot.js';
import { Extraction } from './extraction.js';
import { followLinks } from './follow-links.js';
import type { JobContext } from './job-context.js';
import { JournalWriter } from './journal-writer.js';
import { byteString, nativePath, readable } from './native-path.js';
import { sourcePieces } from './source-pieces.js';
import { statusOf } from './status.js';

/** Reads an archive to its end and makes what is in it. */
export async function extract(request: ExtractRequest, context: JobContext): Promise<ExtractResult> {
  // Everything on the host is opened before the thread is confined.
  const open = new Lifetime();
  const take = (fd: number): number => {
    open.add(() => closeSync(fd));
    return fd;
  };
  try {
    const source = request.file === undefined ? undefined : take(openSync(request.file.path, 'r'));
    const journal =
      request.journal === undefined ? undefined : new JournalWriter(take(openSync(request.journal.file, 'wx', 0o600)));
    open.add(() => journal?.abandon());
    const pieces = sourcePieces(request, source, context);
    open.add(async () => void (await pieces.return(undefined)));
    return await withChroot(request.root, context.calls, async (root) => {
      const extraction = new Extraction(root, request, baseOf(request), journal, () => context.throwIfAborted());
      open.add(() => extraction.abandon());
      const hash = request.hashed ? createHash('sha256') : undefined;
      const tarSize = await readAll(pieces, extraction, hash, journal, context);
      extraction.finish();
      await journal?.finish();
      const diffId = hash === undefined ? undefined : `sha256:${hash.digest('hex')}`;
      return { diffId, size: extraction.size, tarSize, entries: extraction.entries };
    });
  } finally {
    await open.release();
  }
}

async function readAll(
  pieces: AsyncIterable<Buffer>,
  extraction: Extraction,
  hash: Hash | undefined,
  journal: JournalWriter | undefined,
  context: JobContext,
): Promise<number> {
  let tarSize = 0;
  const reader = new TarReader(extraction);
  for await (const piece of pieces) {
    context.throwIfAborted();
    hash?.update(piece);
    tarSize += piece.length;
    reader.push(piece);
    await journal?.settle();
  }
  reader.finish();
  return tarSize;
}

/** The directory inside the root that is extracted to, without links on the way. */
function baseOf({ path }: ExtractRequest): ByteString {
  const base = followLinks(normalise(byteString(path)));
  const status = statusOf(base);
  if (status === undefined) throw notFound(`lstat /${path}: no such file or directory`);
  if (!status.isDirectory()) throw invalidArgument('extraction point is not a directory');
  if (isReadOnly(base)) throw forbidden(`/${readable(base)} is read-only`);
  return base;
}

function isReadOnly(path: ByteString): boolean {
  try {
    accessSync(nativePath(path), constants.W_OK);
    return false;
  } catch (error) {
    return isErrno(error, 'EROFS');
  }
}
