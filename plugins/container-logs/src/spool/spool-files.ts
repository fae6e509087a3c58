import { open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The spool of a run is `spool-RUN`, where RUN sorts as the runs do; a rotated one is `spool-RUN.N` beside it. A file is
 * identified by the time of its first line, which is part of a position: `TIME@OFFSET`.
 */
const pattern = /^spool-([0-9a-z]+)(?:\.(\d+))?$/;

export const spoolName = (since: bigint): string => `spool-${since.toString(36).padStart(13, '0')}`;

/** Spool files in a directory, oldest first. */
export async function findSpools(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const found = names.flatMap((name) => {
    const [match, run = '', rotation] = pattern.exec(name) ?? [];
    return match ? [{ name, run, age: rotation === undefined ? Number.POSITIVE_INFINITY : Number(rotation) }] : [];
  });
  found.sort((a, b) => (a.run === b.run ? a.age - b.age : a.run < b.run ? -1 : 1));
  return found.map(({ name }) => path.join(directory, name));
}

/** The time that the first line starts with; undefined while there is none. */
async function firstTime(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(64);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return timeIn(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The time that a spool line starts with, verbatim; undefined while the line is shorter. */
export function timeIn(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(0x20);
  return end < 0 ? undefined : bytes.toString('latin1', 0, end);
}

interface Position {
  /** Of the file's first line. */
  readonly time: string;
  readonly offset: number;
}

export const formatPosition = ({ time, offset }: Position): string => `${time}@${offset}`;

function parsePosition(text: string | undefined): Position | undefined {
  const [, time, offset] = /^(\S+)@(\d+)$/.exec(text ?? '') ?? [];
  return time === undefined ? undefined : { time, offset: Number(offset) };
}

/** The spools that an earlier daemon did not consume, and how far it consumed the first. */
interface PendingSpools {
  /** Oldest first. */
  readonly paths: readonly string[];
  /** Of the first one. */
  readonly offset: number;
  readonly time: string | undefined;
}

/** Finds the spools that are not known yet. Those before the stored position are consumed, and deleted here. */
export async function findPending(
  directory: string,
  known: { isKnown(path: string): boolean; position(): Promise<string | undefined> },
): Promise<PendingSpools> {
  const found = (await findSpools(directory)).filter((path) => !known.isKnown(path));
  const position = found.length === 0 ? undefined : parsePosition(await known.position());
  for (const [index, file] of position === undefined ? [] : found.entries()) {
    if ((await firstTime(file)) !== position?.time) continue;
    for (const written of found.slice(0, index)) await rm(written, { force: true });
    return { paths: found.slice(index), offset: position?.offset ?? 0, time: position?.time };
  }
  return { paths: found, offset: 0, time: undefined };
}

/** The position of a sink that does not store it itself, in the container's directory. */
export const positionFile = {
  read: (directory: string): Promise<string | undefined> =>
    readFile(path.join(directory, 'spool.position'), 'utf8').catch(() => undefined),
  write: (directory: string, position: string): Promise<void> =>
    writeFile(path.join(directory, 'spool.position'), position),
  /** Milliseconds since the epoch. Never written: rejects. */
  writtenAt: async (directory: string): Promise<number> => (await stat(path.join(directory, 'spool.position'))).mtimeMs,
  remove: (directory: string): Promise<void> => rm(path.join(directory, 'spool.position'), { force: true }),
};
