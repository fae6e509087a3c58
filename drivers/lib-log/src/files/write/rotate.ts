import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { crashPoint } from '@gantry/core/crash-points';
import { type RotatedFile, rotatedFiles } from '../rotation/log-files.js';

const temporary = '.tmp';

/**
 * Makes room at `path` for a new file: the current one gets index 1, older ones move up by one, the oldest is deleted.
 * A gap that an interrupted call left is filled first, so that no call drops more than one file.
 */
export async function shiftFiles(path: string, maxFile: number): Promise<void> {
  const files = await rotatedFiles(path);
  const gap = firstGap(files);
  for (const file of [...files].reverse()) {
    if (file.index >= maxFile - 1 && (file.index < gap || file.index > maxFile - 1))
      await rm(file.path, { force: true });
    else if (file.index < gap) await rename(file.path, nameOf(path, { ...file, index: file.index + 1 }));
    crashPoint('log-file.shift');
  }
  if (maxFile === 1) await rm(path, { force: true });
  else await rename(path, `${path}.1`);
  crashPoint('log-file.shifted');
}

/** Compresses rotated files that are not yet; deletes uncompressed copies of an interrupted call. */
export async function compressFiles(path: string): Promise<void> {
  const files = await rotatedFiles(path);
  const done = new Set(files.filter(({ isCompressed }) => isCompressed).map(({ index }) => index));
  for (const file of files.filter(({ isCompressed }) => !isCompressed)) {
    if (!done.has(file.index)) await compress(file.path);
    await rm(file.path, { force: true });
  }
}

async function compress(path: string): Promise<void> {
  const unfinished = `${path}.gz${temporary}`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o640 }));
  crashPoint('log-file.compressed');
  await rename(unfinished, `${path}.gz`);
}

const nameOf = (path: string, { index, isCompressed }: Omit<RotatedFile, 'path'>): string =>
  `${path}.${index}${isCompressed ? '.gz' : ''}`;

function firstGap(files: readonly RotatedFile[]): number {
  const indices = new Set(files.map(({ index }) => index));
  let gap = 1;
  while (indices.has(gap)) gap++;
  return gap;
}
