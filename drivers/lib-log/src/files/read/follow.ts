import type { LogQuery } from '@gantry/core/contracts';
import { type Block, readBlocks, readCompressedBlocks } from './blocks.js';
import { FileWatch } from './file-watch.js';
import { closeFiles, type LogFile, openFiles, statusOf } from './open-files.js';

/**
 * Goes on where a log ended, through every rotation, until the query's signal aborts, or `ended` resolves and all is
 * read. Closes the files it opens; the one it begins with is the caller's.
 */
export async function* follow(path: string, first: LogFile, from: number, query: LogQuery): AsyncGenerator<Buffer> {
  const watch = new FileWatch();
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    watch.wake();
  };
  const wake = (): void => watch.wake();
  query.signal?.addEventListener('abort', wake, { once: true });
  void query.ended?.then(end, end);
  let file = first;
  let at = from;
  try {
    watch.begin(path);
    while (!query.signal?.aborted) {
      // Asked before reading: what was written before either answer is then read below.
      const isLast = hasEnded;
      const current = await statusOf(path);
      const isCurrent = current?.ino === file.inode;
      // The watch reports what is written after that. Without an end a whole block would be allocated for each line.
      const end = isCurrent ? current.size : Number.POSITIVE_INFINITY;
      for await (const { bytes, nextAt } of linesOf(file, at, end)) {
        if (query.signal?.aborted) return;
        at = nextAt;
        yield bytes;
      }
      if (!isCurrent) {
        const next = await nextFile(path, file);
        if (next !== undefined) {
          if (file !== first) await file.handle.close();
          file = next;
          at = 0;
          watch.begin(path);
          continue;
        }
      }
      if (isLast) return;
      await watch.change();
    }
  } finally {
    query.signal?.removeEventListener('abort', wake);
    watch.close();
    if (file !== first) await file.handle.close();
  }
}

async function* linesOf(file: LogFile, at: number, end: number): AsyncGenerator<Block> {
  if (!file.isCompressed) yield* readBlocks(file, at, end);
  else if (at === 0) for await (const bytes of readCompressedBlocks(file)) yield { bytes, nextAt: file.size };
}

/** The file after one that was put aside: the oldest that is newer. Undefined when there is none. */
async function nextFile(path: string, file: LogFile): Promise<LogFile | undefined> {
  const files = await openFiles(path).catch(() => []);
  const { generation } = file;
  const newer = files.filter((other) =>
    generation === undefined || other.generation === undefined
      ? other === files.at(-1) && other.inode !== file.inode
      : other.generation > generation,
  );
  const next = newer[0];
  await closeFiles(files.filter((other) => other !== next));
  return next;
}
