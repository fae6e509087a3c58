import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { LayerSource } from '@gantry/core/contracts';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { type TarEntry, TarReader } from '@gantry/lib-archive/tar';

export interface Member {
  readonly entry: TarEntry;
  readonly content: Buffer;
}

/** Reads a source to its end. Rejects with the signal's abort. */
export async function readSource(source: LayerSource, signal: AbortSignal | undefined): Promise<Buffer> {
  if ('stream' in source) return expanded(await readStream(source.stream, signal), source.compression);
  const { file, offset = 0, length } = source;
  const bytes = readFileSync(file);
  return expanded(bytes.subarray(offset, length === undefined ? bytes.length : offset + length), source.compression);
}

async function readStream(stream: Readable, signal: AbortSignal | undefined): Promise<Buffer> {
  const onAbort = (): void => void stream.destroy(aborted());
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal?.aborted === true) throw aborted();
    const pieces: Uint8Array[] = [];
    for await (const piece of stream) pieces.push(piece as Uint8Array);
    return Buffer.concat(pieces);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

export const aborted = (): Error => Object.assign(new Error('The operation was aborted'), { name: 'AbortError' });

function expanded(bytes: Buffer, given: LayerSource['compression']): Buffer {
  const compression = given ?? compressionOf(bytes);
  if (compression === 'none') return bytes;
  if (compression !== 'gzip') throw notImplemented(`the memory driver cannot read ${compression} data`);
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw invalidArgument(`the gzip data is damaged: ${(error as Error).message}`, { cause: error });
  }
}

function compressionOf(bytes: Buffer): NonNullable<LayerSource['compression']> {
  const beginning = bytes.toString('latin1', 0, 6);
  if (beginning.startsWith('\x1f\x8b')) return 'gzip';
  if (beginning.startsWith('BZh')) return 'bzip2';
  if (beginning.startsWith('\xfd7zXZ')) return 'xz';
  return beginning.startsWith('\x28\xb5\x2f\xfd') ? 'zstd' : 'none';
}

/** What is in an archive. @throws EngineError `invalid-argument`. */
export function membersOf(archive: Buffer): readonly Member[] {
  const members: { entry: TarEntry; content: Buffer }[] = [];
  let pieces: Buffer[] = [];
  const reader = new TarReader({
    raw: () => undefined,
    begin: (entry) => {
      members.push({ entry, content: Buffer.alloc(0) });
      pieces = [];
    },
    payload: (piece) => void pieces.push(piece),
    end: () => {
      const last = members.at(-1);
      if (last !== undefined) last.content = withHoles(last.entry, Buffer.concat(pieces));
    },
  });
  reader.push(archive);
  reader.finish();
  return members;
}

function withHoles({ sparse }: TarEntry, content: Buffer): Buffer {
  if (sparse === undefined) return content;
  const whole = Buffer.alloc(sparse.realSize);
  let at = 0;
  for (const { offset, length } of sparse.regions) {
    content.copy(whole, offset, at, at + length);
    at += length;
  }
  return whole;
}

export const diffIdOf = (archive: Buffer): string => `sha256:${createHash('sha256').update(archive).digest('hex')}`;
