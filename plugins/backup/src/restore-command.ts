import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { ArchiveDrivers } from '@gantry/core/contracts';
import { type OfflineContext, PreparedRoot } from '@gantry/core/driver';
import { conflict, EngineError, invalidArgument, messageOf, unavailable } from '@gantry/core/errors';
import { Files } from '@gantry/lib-linux/files';
import { mappingOf } from './backup-command.js';
import { fileArguments } from './file-arguments.js';
import { BackupReader } from './format/backup-reader.js';
import type { End, Header } from './format/records.js';
import { formatSummary } from './format-summary.js';
import { restoreItems } from './restore-items.js';

const usage = [
  'usage: gantryd restore FILE|- [--check] [--config FILE]',
  '',
  '  Fills an empty data root from what "gantryd backup" has written, read from a file or from the standard input. The engine',
  '  must not run. What an interruption leaves is removed, or finished, by the next start of the engine or of this command.',
  '',
  '  --check   only reads the backup to its end, and says whether it is whole',
];

/** `gantryd restore`. @throws EngineError; then the data root is as it was. */
export async function* restoreCommand(args: readonly string[], context: OfflineContext): AsyncGenerator<string, void> {
  const { file, options } = fileArguments('restore', args, { check: { type: 'boolean' } });
  if (file === undefined) return yield* usage;
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 2 ** 20 });
  const source = countedSource(input);
  try {
    const reader = new BackupReader(source.pieces);
    const header = await reader.header();
    const isCheck = options.check === true;
    const end = isCheck ? await readToEnd(reader) : await restore(reader, header, context);
    for (const each of end.leftOut) yield `not included: ${each}`;
    yield `${isCheck ? 'whole' : context.dataRoot}: ${formatSummary(end.entries, source.size())}, of ${header.createdAt}`;
  } catch (error) {
    throw named(file, error);
  } finally {
    input.destroy();
  }
}

async function restore(reader: BackupReader, header: Header, context: OfflineContext): Promise<End> {
  const { dataRoot, isDaemonRunning, port, driver } = context;
  if (isDaemonRunning) throw conflict('the engine runs: stop it first');
  const mapping = mappingOf(context);
  if (mapping !== header.mapping) {
    throw conflict(
      `it was made with the user mapping ${header.mapping || 'none'}, and this configuration has ${mapping || 'none'}: ` +
        'files would belong to other users; set "usernsRemap" accordingly',
    );
  }
  const root = await PreparedRoot.begin(dataRoot);
  try {
    const archive = await driver(ArchiveDrivers);
    const end = await restoreItems(reader, { directory: root.directory, archive });
    await port(Files).syncFilesystem(dataRoot);
    await root.commit();
    return end;
  } catch (error) {
    await root.discard();
    throw error;
  }
}

async function readToEnd(reader: BackupReader): Promise<End> {
  for (;;) {
    const item = await reader.item();
    if (item.kind === 'end') return item;
  }
}

function countedSource(input: Readable): { readonly pieces: AsyncIterable<Uint8Array>; readonly size: () => number } {
  let size = 0;
  const pieces = (async function* () {
    for await (const piece of input as AsyncIterable<Uint8Array>) {
      size += piece.length;
      yield piece;
    }
  })();
  return { pieces, size: () => size };
}

/** An error of the backup names it. */
function named(file: string, error: unknown): unknown {
  if (EngineError.is(error) && error.kind === 'invalid-argument') {
    return invalidArgument(`${file}: ${error.message}`, { cause: error });
  }
  const isOfFile = (error as NodeJS.ErrnoException).path === file;
  return isOfFile ? unavailable(`cannot read ${file}: ${messageOf(error)}`, { cause: error }) : error;
}
