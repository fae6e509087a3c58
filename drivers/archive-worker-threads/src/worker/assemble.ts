import { closeSync, constants, fstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { internal, messageOf } from '@gantry/core/errors';
import { type ByteString, printable } from '@gantry/lib-archive/tar';
import { isErrno } from '@gantry/lib-linux';
import { gunzip } from '../compression/gunzip.js';
import type { AssembleRequest } from '../pool/jobs.js';
import { type Chroot, withChroot } from './chroot.js';
import type { JobContext } from './job-context.js';
import { JournalReader } from './journal-format.js';
import { nativePath } from './native-path.js';
import { PieceOutput } from './piece-output.js';
import { filePieces } from './source-pieces.js';

/** Writes an archive again, byte by byte as it was extracted, from its journal and the extracted files. */
export async function assemble(
  { directory, journal: { file, payloads } }: AssembleRequest,
  context: JobContext,
): Promise<undefined> {
  const journal = openSync(file, 'r');
  try {
    const kept = keptPayloads(payloads);
    await withChroot(directory, context.calls, (root) => assembleFrom(journal, kept, payloads, root, context));
  } finally {
    closeSync(journal);
  }
  return undefined;
}

async function assembleFrom(
  journal: number,
  kept: ReadonlySet<number>,
  payloads: string,
  root: Chroot,
  context: JobContext,
): Promise<void> {
  const output = new PieceOutput(context);
  const reader = new JournalReader();
  const expanded = gunzip(filePieces(journal, { offset: 0, length: undefined }));
  let number = 0;
  for await (const piece of expanded) {
    for (const record of reader.push(piece)) {
      context.throwIfAborted();
      if (record.type === 'raw') await output.write(record.bytes);
      else {
        const isKept = kept.has(number);
        const fd = isKept
          ? root.outside(() => openSync(join(payloads, String(number)), 'r'))
          : openPayload(record.path);
        number++;
        await writePayload(fd, record.path, record.size, output);
      }
    }
  }
  reader.finish();
  await output.flush();
}

function keptPayloads(directory: string): Set<number> {
  try {
    return new Set(readdirSync(directory).map(Number));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return new Set();
    throw error;
  }
}

function openPayload(path: ByteString): number {
  try {
    return openSync(nativePath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw internal(`the layer is damaged: ${printable(path)}: ${messageOf(error)}`, { cause: error });
  }
}

async function writePayload(fd: number, path: ByteString, size: number, output: PieceOutput): Promise<void> {
  try {
    const status = fstatSync(fd);
    if (!status.isFile() || status.size !== size) {
      throw internal(`the layer is damaged: ${printable(path)} is not the file that was extracted`);
    }
    await output.writeFile(fd, size);
  } finally {
    closeSync(fd);
  }
}
