import type { FileHandle } from 'node:fs/promises';
import { noPartialLines } from './line-encoder.js';
import type { Progress, ResumeFile } from './resume-file.js';

/**
 * Finds out how far a log came before a crash, and takes back an append that did not get to its end.
 * What was announced last is in the file whole, in part, or not at all; only a whole one counts.
 */
export async function recover(
  file: FileHandle,
  announcements: ResumeFile,
): Promise<{ readonly progress: Progress; readonly size: number }> {
  const { newest, before } = announcements;
  const { ino: inode, size } = await file.stat();
  if (newest === undefined) return { progress: { ...nothing, inode }, size };
  if (newest.inode !== inode) {
    // Only full files are put aside, so the append before was whole; the crash was on the way to the next file.
    return { progress: { ...newest, inode, generation: newest.generation + 1, sizeBefore: size, bytes: 0 }, size };
  }
  const end = newest.sizeBefore + newest.bytes;
  // Smaller than before the append: another program truncated the file, and there is nothing to roll back.
  if (size >= end || size < newest.sizeBefore) return { progress: newest, size };
  await file.truncate(newest.sizeBefore);
  announcements.takeBack();
  const { resume, consumed, partial } = before ?? nothing;
  return {
    progress: { ...newest, resume, consumed, partial, bytes: 0 },
    size: newest.sizeBefore,
  };
}

const nothing: Omit<Progress, 'inode'> = {
  generation: 0,
  sizeBefore: 0,
  bytes: 0,
  resume: undefined,
  consumed: 0,
  partial: noPartialLines,
};
