import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { LayerCompression, LayerSource } from '@gantry/core/contracts';
import type { Launcher } from '@gantry/lib-linux/launcher';
import type { ExtractRequest } from '../pool/jobs.js';
import { expandByProgram } from './expand-by-program.js';
import type { ExpansionLimit } from './expansion-limit.js';
import { sniff, sniffedBytes } from './sniff.js';

/** A source as a worker reads it. */
interface OpenSource {
  readonly file: ExtractRequest['file'];
  readonly compression: ExtractRequest['compression'];
  /** Fed to the worker when it does not read a file itself. */
  readonly input: AsyncIterable<Uint8Array> | undefined;
  /** Whether a program expands the source, so that `input` is its output. */
  readonly isExpanded: boolean;
}

/** Detects the compression, and starts a program where Node cannot expand it. */
export async function openSource(source: LayerSource, launcher: Launcher, limit: ExpansionLimit): Promise<OpenSource> {
  if ('file' in source) return openFile(source, launcher, limit);
  const beginning = await beginningOf(source.stream);
  return throughThread(source.compression ?? sniff(beginning.bytes), beginning.all, launcher, limit);
}

async function openFile(
  source: Extract<LayerSource, { readonly file: string }>,
  launcher: Launcher,
  limit: ExpansionLimit,
): Promise<OpenSource> {
  const { file: path, offset = 0, length } = source;
  const compression = source.compression ?? sniff(await readBeginning(path, offset, length));
  const file = { path, offset, length };
  if (isForThread(compression)) return { file, compression, input: undefined, isExpanded: false };
  const end = length === undefined ? {} : { end: offset + length - 1 };
  const stream = createReadStream(path, { start: offset, ...end, highWaterMark: 256 * 1024 });
  return throughThread(compression, stream, launcher, limit);
}

function throughThread(
  compression: LayerCompression,
  input: AsyncIterable<Uint8Array>,
  launcher: Launcher,
  limit: ExpansionLimit,
): OpenSource {
  if (isForThread(compression)) return { file: undefined, compression, input, isExpanded: false };
  const expanded = expandByProgram(launcher, compression, input, limit);
  return { file: undefined, compression: 'none', input: expanded, isExpanded: true };
}

/** Whether a worker expands it without a program. */
function isForThread(compression: LayerCompression): compression is OpenSource['compression'] {
  return compression === 'none' || compression === 'gzip';
}

async function readBeginning(path: string, offset: number, length: number | undefined): Promise<Buffer> {
  const handle = await open(path);
  try {
    const bytes = Buffer.alloc(Math.min(sniffedBytes, length ?? sniffedBytes));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads enough of a stream to detect its compression. `all` yields the whole stream, the beginning included. */
async function beginningOf(
  stream: Readable,
): Promise<{ readonly bytes: Buffer; readonly all: AsyncIterable<Uint8Array> }> {
  const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let length = 0; length < sniffedBytes; ) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    first.push(value);
    length += value.length;
  }
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield* first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  };
  return { bytes: Buffer.concat(first), all: all() };
}
