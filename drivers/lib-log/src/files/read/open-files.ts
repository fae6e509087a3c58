import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { notFound } from '@gantry/core/errors';
import { resumePath, rotatedFiles } from '../rotation/log-files.js';
import { readProgress } from '../write/resume-file.js';

/** One file of a log, open for reading. */
export interface LogFile {
  readonly handle: FileHandle;
  readonly inode: number;
  readonly isCompressed: boolean;
  /** When it was opened. */
  readonly size: number;
  /** Increases from file to file; undefined if the writer stored none. */
  readonly generation: number | undefined;
}

/** Milliseconds for a rotation to finish, after which a reader opens the files it finds. */
const rotationTimeout = 1000;

/**
 * Opens the files of a log, the oldest first, each exactly once although the log may be rotated meanwhile. The caller
 * closes them. Rejects `not-found` without any.
 */
export async function openFiles(path: string): Promise<readonly LogFile[]> {
  let unsettled = '';
  for (let since = Date.now(); ; await delay(5)) {
    const { files, isSettled, listing } = await attempt(path);
    if (files.length === 0 && listing === '') throw notFound(`there is no log ${path}`);
    // A listing that does not change is no rotation in progress, but an interrupted one.
    if (listing !== unsettled) since = Date.now();
    unsettled = listing;
    if (files.length > 0 && (isSettled || Date.now() - since > rotationTimeout)) return files;
    await closeFiles(files);
  }
}

/**
 * Opens the file that is written to at present, without looking at the others; with `following` only if its generation
 * is known, so that the next file can be found. Undefined if there is none.
 */
export async function openCurrentFile(
  path: string,
  { following }: { readonly following: boolean },
): Promise<LogFile | undefined> {
  const [file, progress] = await Promise.all([
    openFile(path, false, undefined),
    following ? readProgress(resumePath(path)) : undefined,
  ]);
  if (file === undefined || !following) return file;
  if (progress?.inode === file.inode) return { ...file, generation: progress.generation };
  await file.handle.close();
  return undefined;
}

/** Whether there was no older file when this one, the current one, was opened. False when that is not known. */
export const isOnlyFile = async (path: string, { generation }: LogFile): Promise<boolean> =>
  generation === 0 || (await rotatedFiles(path)).length === 0;

export const closeFiles = async (files: readonly LogFile[]): Promise<void> => {
  await Promise.all(files.map(({ handle }) => handle.close()));
};

async function attempt(path: string) {
  // In any order: files of different moments are detected by their inodes.
  const [rotated, progress, opened] = await Promise.all([
    rotatedFiles(path).catch(() => []),
    readProgress(resumePath(path)),
    openFile(path, false, undefined),
  ]);
  // The first file of the log: there is no older one, even if it is rotated now.
  if (rotated.length === 0 && progress?.generation === 0 && progress.inode === opened?.inode) {
    return { files: [{ ...opened, generation: 0 }], isSettled: true, listing: `${opened.inode}` };
  }
  const before = await listFiles(path);
  const current = opened && progress ? { ...opened, generation: progress.generation } : opened;
  const isKnown = progress === undefined || progress.inode === current?.inode;
  const files = current === undefined ? [] : [isKnown ? current : { ...current, generation: undefined }];
  for (const { path: name, index, isCompressed } of before.rotated) {
    const generation = isKnown && progress !== undefined ? progress.generation - index : undefined;
    const file = await openFile(name, isCompressed, generation);
    if (file !== undefined) files.unshift(file);
  }
  const after = await listFiles(path);
  const hasGap = before.rotated.some(({ index }, place) => index !== place + 1);
  const isCurrent = current !== undefined && current.inode === before.inode;
  const isSettled = isKnown && isCurrent && !hasGap && before.listing === after.listing;
  return { files, isSettled: isSettled && files.length === before.rotated.length + 1, listing: after.listing };
}

/** The files, and a text that differs whenever they do. */
async function listFiles(path: string) {
  const [inode, all] = await Promise.all([inodeOf(path), rotatedFiles(path).catch(() => [])]);
  // Of a file that is just being compressed, the uncompressed one.
  const rotated = all.filter(
    ({ index, isCompressed }) => !isCompressed || !all.some((other) => other.index === index && !other.isCompressed),
  );
  const inodes = [inode, ...(await Promise.all(rotated.map((file) => inodeOf(file.path))))];
  const isEmpty = inodes.every((found) => found === undefined);
  return { rotated, inode, listing: isEmpty ? '' : inodes.join(' ') };
}

async function openFile(
  path: string,
  isCompressed: boolean,
  generation: number | undefined,
): Promise<LogFile | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  const { ino: inode, size } = await handle.stat();
  return { handle, inode, size, isCompressed, generation };
}

/** What is at a path; undefined if nothing is. */
export const statusOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

const inodeOf = async (path: string): Promise<number | undefined> => (await statusOf(path))?.ino;
