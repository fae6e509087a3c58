import type { LogPage, LogQuery } from '@gantry/core/contracts';
import { readBlocks, readCompressedBlocks } from './blocks.js';
import { findTail, findTailInLast, matches, type Place } from './find-tail.js';
import { follow } from './follow.js';
import { FrameBuffers } from './frame-buffers.js';
import type { LineForm, Reading } from './line-form.js';
import { closeFiles, isOnlyFile, type LogFile, openCurrentFile, openFiles } from './open-files.js';
import { RecordFilter } from './record-filter.js';

const beginning: Place = { file: 0, offset: 0, skip: 0 };

/** Reads a log one block at a time, so that a slow reader holds no more than that in memory. */
export async function* readLog(
  path: string,
  query: LogQuery,
  form: LineForm,
): AsyncGenerator<LogPage, void, undefined> {
  const filter = new RecordFilter(query);
  const reading: Reading = { filter, form };
  const { files, start } = await openRange(path, reading, query);
  const outs = new FrameBuffers();
  try {
    let at = 0;
    for (const [index, file] of files.entries()) {
      if (index < start.file) continue;
      at = index === start.file ? start.offset : 0;
      if (file.isCompressed) {
        yield* compressedPages(file, reading, index === start.file ? start.skip : 0, query);
        continue;
      }
      // Without `follow`, output written meanwhile is not part of the answer.
      const blocks = start.block === undefined ? readBlocks(file, at, file.size) : [start.block];
      for await (const block of blocks) {
        if (query.signal?.aborted) return;
        at = block.nextAt;
        yield form.page(block.bytes, filter, outs.next(block.bytes.length));
        if (isPast(block.bytes, reading)) return;
      }
    }
    if (query.follow) {
      for await (const bytes of follow(path, files.at(-1) as LogFile, at, query)) {
        yield form.page(bytes, filter);
        if (isPast(bytes, reading)) return;
      }
    }
  } finally {
    // Not awaited: nothing depends on it, and the client would wait for one more round through Node's thread pool.
    closeFiles(files).catch(() => undefined);
  }
}

interface Range {
  readonly files: readonly LogFile[];
  readonly start: Place;
}

/** Opens the files that the query needs. The caller closes them. */
async function openRange(path: string, reading: Reading, query: LogQuery): Promise<Range> {
  const range = await openCurrentRange(path, reading, query);
  if (range !== undefined) return range;
  const files = await openFiles(path);
  return query.tail === undefined ? { files, start: beginning } : findRange(files, reading, query.tail);
}

/** Mostly the current file has all that is asked for, and then no other is opened. */
async function openCurrentRange(path: string, reading: Reading, query: LogQuery): Promise<Range | undefined> {
  const current = await openCurrentFile(path, { following: query.follow });
  if (current === undefined) return undefined;
  const start = await startIn(path, current, reading, query.tail).catch(() => undefined);
  if (start !== undefined) return { files: [current], start };
  await current.handle.close();
  return undefined;
}

/** Where in the current file to begin; undefined if others are needed. */
async function startIn(
  path: string,
  current: LogFile,
  reading: Reading,
  tail: number | undefined,
): Promise<Place | undefined> {
  const found = tail === undefined ? undefined : await findTailInLast(current, reading, tail);
  if (found?.isWhole || (await isOnlyFile(path, current))) return found?.start ?? beginning;
  return undefined;
}

async function findRange(files: readonly LogFile[], reading: Reading, count: number): Promise<Range> {
  try {
    return { files, start: await findTail(files, reading, count) };
  } catch (error) {
    await closeFiles(files);
    throw error;
  }
}

async function* compressedPages(
  file: LogFile,
  reading: Reading,
  skip: number,
  { signal }: LogQuery,
): AsyncGenerator<LogPage> {
  let left = skip;
  for await (const block of readCompressedBlocks(file)) {
    if (signal?.aborted) return;
    const places = left === 0 ? [] : matches(block, reading);
    if (left > 0 && places.length <= left) {
      left -= places.length;
      continue;
    }
    yield reading.form.page(block.subarray(left === 0 ? 0 : places[left]), reading.filter);
    left = 0;
  }
}

/** Whether what comes after a block is later than what is asked for. */
function isPast(block: Buffer, { filter, form }: Reading): boolean {
  if (!filter.hasEnd) return false;
  const at = block.lastIndexOf(0x0a, block.length - 2) + 1;
  const line = form.lineReader();
  return line.decode(block, at, block.length, Buffer.allocUnsafe(block.length - at), 0) && filter.isAfter(line, block);
}
