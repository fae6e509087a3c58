import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { LayerCompression, LayerSource } from '@gantry/core/contracts';
import type { Launcher } from '@gantry/lib-linux/launcher';
import type { ExtractRequest } from '../pool/jobs.js';
import type { JobInput } from '../pool/run-job.js';
import { expandByProgram } from './expand-by-program.js';
import type { ExpansionLimit } from './expansion-limit.js';
import { peek } from './peek.js';
import { sniff, sniffedBytes } from './sniff.js';

/** A source as a worker reads it. */
interface OpenSource {
  readonly file: ExtractRequest['file'];
  readonly compression: ExtractRequest['compression'];
  /** Fed to the worker when it does not read a file itself. */
  readonly input: JobInput | undefined;
  /** Whether a program expands the source, so that `input` is its output. */
  readonly isExpanded: boolean;
}

/** Detects the compression, and starts a program where Node cannot expand it. */
export async function openSource(source: LayerSource, launcher: Launcher, limit: ExpansionLimit): Promise<OpenSource> {
  if ('file' in source) return openFile(source, launcher, limit);
  const { compression, stream, transferable = false } = source;
  if (compression !== undefined) return throughThread(compression, { chunks: stream, transferable }, launcher, limit);
  const { beginning, chunks } = await peek(stream, sniffedBytes);
  return throughThread(sniff(beginning), { chunks, transferable }, launcher, limit);
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
  stream.on('error', () => undefined); // thrown where it is read, which may be later
  return throughThread(compression, { chunks: stream, transferable: true }, launcher, limit);
}

function throughThread(
  compression: LayerCompression,
  input: JobInput,
  launcher: Launcher,
  limit: ExpansionLimit,
): OpenSource {
  if (isForThread(compression)) return { file: undefined, compression, input, isExpanded: false };
  const expanded = { chunks: expandByProgram(launcher, compression, input.chunks, limit), transferable: true };
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
