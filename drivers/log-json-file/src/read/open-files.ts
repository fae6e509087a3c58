import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { notFound } from '@gantry/core/errors';
import { resumePath, rotatedFiles } from '../files.js';
import { readProgress } from '../write/resume-file.js';

/** One file of a log, open for reading. */
export interface LogFile {
  readonly handle: FileHandle;
  readonly inode: number;
  readonly isCompressed: boolean;
  /** When it was opened. */
  readonly size: number;
  /** Rises from file to file; undefined when the writer left no word. */
  readonly generation: number | undefined;
}

/** What a rotation in progress may take, in ms, before a reader takes what it finds. */
const patience = 1000;

/**
 * Opens the files of a log, the oldest first, none left out or there twice although the log may be rotated meanwhile.
 * The caller closes them. Rejects `not-found` without any.
 */
export async function openFiles(path: string): Promise<readonly LogFile[]> {
  for (const deadline = Date.now() + patience; ; await delay(5)) {
    const isLast = Date.now() > deadline;
    const files = await attempt(path, isLast);
    if (files !== undefined) return files;
    if (isLast) throw notFound(`there is no log ${path}`);
  }
}

export const closeFiles = async (files: readonly LogFile[]): Promise<void> => {
  await Promise.all(files.map(({ handle }) => handle.close()));
};

/** Undefined: the log was just being rotated, or is not there. */
async function attempt(path: string, takesAnything: boolean): Promise<readonly LogFile[] | undefined> {
  const opened: LogFile[] = [];
  const names = await namesOf(path);
  const current = await openFile(path, false, undefined);
  if (current === undefined) {
    if (names.length === 0) throw notFound(`there is no log ${path}`);
    if (!takesAnything) return undefined;
  }
  const progress = await readProgress(resumePath(path));
  const generation = progress?.inode === current?.inode ? progress?.generation : undefined;
  if (current !== undefined) opened.push({ ...current, generation });
  for (const { path: name, index, isCompressed } of names) {
    const file = await openFile(name, isCompressed, generation === undefined ? undefined : generation - index);
    if (file !== undefined) opened.unshift(file);
  }
  const isSettled =
    (await inodeOf(path)) === current?.inode &&
    opened.length === names.length + (current === undefined ? 0 : 1) &&
    JSON.stringify(await namesOf(path)) === JSON.stringify(names) &&
    (progress === undefined || generation !== undefined);
  if (isSettled || (takesAnything && opened.length > 0)) return opened;
  await closeFiles(opened);
  return undefined;
}

/** Of a file that is just being compressed, the uncompressed one. */
async function namesOf(path: string) {
  const files = await rotatedFiles(path).catch(() => []);
  return files.filter(
    ({ index, isCompressed }) => !isCompressed || !files.some((other) => other.index === index && !other.isCompressed),
  );
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

export const inodeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.ino;
