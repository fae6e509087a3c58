import { once } from 'node:events';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { BackupReader } from './format/backup-reader.js';
import type { End, Item } from './format/records.js';

interface RestoreTarget {
  /** Empty. */
  readonly directory: string;
  readonly archive: ArchiveDriver;
}

/** Makes all that a backup has below a directory. Rejects `invalid-argument` for a damaged backup. */
export async function restoreItems(reader: BackupReader, { directory, archive }: RestoreTarget): Promise<End> {
  const made = new Set<string>();
  for (;;) {
    const item = await reader.item();
    if (item.kind === 'end') {
      const listed = new Set(item.entries);
      for (const path of made) if (!listed.has(path)) await archive.removeTree(join(directory, path));
      return item;
    }
    if (item.kind === 'entry') {
      const path = checked(item.path);
      if (made.has(path)) await archive.removeTree(join(directory, path));
      made.add(path);
    } else if (item.kind === 'directory') await makeDirectory(directory, item);
    else {
      const stream = Readable.from(reader.tree(), { objectMode: false, highWaterMark: 2 ** 20 });
      const place = join(directory, checked(item.directory));
      await archive.extract({ stream, compression: 'none' }, place, '/', { exact: true });
      // The next item follows once nothing reads any more.
      if (!stream.closed) await once(stream, 'close');
    }
  }
}

async function makeDirectory(root: string, item: Extract<Item, { kind: 'directory' }>): Promise<void> {
  const path = join(root, checked(item.path));
  await mkdir(path, { recursive: true });
  await chown(path, item.uid, item.gid);
  await chmod(path, item.mode);
}

/** @throws EngineError `invalid-argument` for a path that leads out of the data root. */
function checked(path: unknown): string {
  if (
    typeof path !== 'string' ||
    path === '' ||
    path.startsWith('/') ||
    normalize(path) !== path ||
    path.startsWith('..')
  ) {
    throw invalidArgument(`the backup is damaged: ${JSON.stringify(path)} is no path in a data root`);
  }
  return path;
}
