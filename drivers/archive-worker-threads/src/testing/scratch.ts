import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveDriver, ExtractedLayer, ExtractLayerOptions, LayerJournal } from '@gantry/core/contracts';
import type { ExecutionContext } from 'ava';
import { sharedArchive } from './open-archive.js';

export interface Scratch {
  readonly archive: ArchiveDriver;
  readonly base: string;
  /** The directory to extract to. */
  readonly root: string;
  readonly journal: LayerJournal;
  /** Extracts a layer to the root, with a journal. */
  apply(bytes: Buffer, options?: Partial<ExtractLayerOptions>): Promise<ExtractedLayer>;
}

/** Directories for one test, removed when it is over, and the driver of the file. */
export async function scratch(t: ExecutionContext): Promise<Scratch> {
  const archive = sharedArchive;
  const base = await mkdtemp(join(tmpdir(), 'gantry-archive-'));
  t.teardown(() => rm(base, { recursive: true, force: true }));
  const root = join(base, 'root');
  await mkdir(root);
  const journal = { file: join(base, 'journal'), payloads: join(base, 'payloads') };
  return {
    archive,
    base,
    root,
    journal,
    apply: (bytes, options = {}) =>
      archive.extractLayer({ stream: streamOf(bytes) }, root, { whiteouts: 'overlay', journal, ...options }),
  };
}

/** A stream of pieces of odd sizes. */
export const streamOf = (bytes: Buffer, size = 7001): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    { objectMode: false },
  );

export async function collect(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
