import type { LogRecord } from '@gantry/core/contracts';
import type { LiveChunk } from './container-streams.js';

/** Bytes of replayed output that are kept for comparison; older output does not overlap with live output. */
const keptBytes = 4 * 2 ** 20;
/** Live output that arrives later than this after the end of the log was not replayed, in milliseconds, on an idle host. */
const maxDelay = 250;
/** On a busy host that delay grows to this multiple of the time the attach took. */
const delayFactor = 8;
/** Fewer equal bytes of a longer chunk may be a coincidence. */
const significant = 64;
/** The clocks that stamp log records and live output differ by less than this, in milliseconds. */
const clockSkew = 2;

/** A record of the end of the replayed log. */
interface Piece {
  readonly stream: LiveChunk['stream'];
  /** When it was written, in milliseconds since the epoch. */
  readonly time: number;
  readonly bytes: Uint8Array;
}

const newline = Buffer.from('\n');

/**
 * The cutover from the replayed log to live output. Output written around the time of the attach is in both. Live output
 * starts somewhere in the last records of the log: its first bytes are left out as far as they repeat the end of the log.
 */
export class LogCutover {
  #pieces: Piece[] = [];
  #size = 0;
  /** By stream: bytes of live output that were replayed and are still to come; undefined before the first live output. */
  #repeated: Map<string, number> | undefined;
  #maxDelay = maxDelay;

  /** Nothing written before `from` comes as live output, nothing after `until` is in the log: nanoseconds. */
  constructor(private readonly span: { readonly from: bigint; readonly until: bigint }) {}

  /** The client gets this record from the log. */
  replayed({ time, stream, line, partial }: LogRecord): void {
    if (time < this.span.from) return;
    const bytes = partial ? line : Buffer.concat([line, newline]);
    this.#pieces.push({ stream, time: milliseconds(time), bytes });
    this.#size += bytes.length;
    while (this.#size > keptBytes) this.#size -= this.#pieces.shift()?.bytes.length ?? this.#size;
  }

  /** How long the attach took, in milliseconds: a measure of how busy the host is. */
  attachTook(milliseconds: number): void {
    this.#maxDelay = Math.max(maxDelay, delayFactor * milliseconds);
  }

  /** Live output, in order and of the requested streams only, without what was replayed. */
  withoutReplayed(chunks: LiveChunk[]): LiveChunk[] {
    const [first] = chunks;
    if (first === undefined) return chunks;
    this.#repeated ??= this.#overlap(first, chunks);
    this.#pieces = [];
    if (this.#repeated.size === 0) return chunks;
    return chunks.flatMap((chunk) => this.#fresh(chunk));
  }

  #fresh(chunk: LiveChunk): LiveChunk[] {
    const repeated = this.#repeated?.get(chunk.stream) ?? 0;
    if (repeated === 0) return [chunk];
    this.#repeated?.set(chunk.stream, Math.max(repeated - chunk.data.length, 0));
    return repeated >= chunk.data.length ? [] : [{ ...chunk, data: chunk.data.subarray(repeated) }];
  }

  /** The latest record with which live output can start: of repetitive output rather too much is sent than too little. */
  #overlap(first: LiveChunk, chunks: readonly LiveChunk[]): Map<string, number> {
    if (first.at > milliseconds(this.span.until) + this.#maxDelay) return new Map();
    const live = byStream(chunks.map(({ stream, data }) => ({ stream, bytes: data })));
    for (let at = this.#pieces.length - 1; at >= 0; at -= 1) {
      const piece = this.#pieces[at];
      if (piece?.stream !== first.stream || piece.time > first.at + clockSkew) continue;
      const start = startIn(piece.bytes, first.data);
      if (start === undefined) continue;
      const replayed = byStream([
        { stream: piece.stream, bytes: piece.bytes.subarray(start) },
        ...this.#pieces.slice(at + 1),
      ]);
      const same = Math.min(replayed.get(first.stream)?.length ?? 0, live.get(first.stream)?.length ?? 0);
      if (same < (start > 0 ? significant : Math.min(first.data.length, significant))) continue;
      if ([...replayed].every(([stream, bytes]) => overlaps(bytes, live.get(stream) ?? newline.subarray(0, 0)))) {
        return new Map([...replayed].map(([stream, bytes]) => [stream, bytes.length]));
      }
    }
    return new Map();
  }
}

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6;

/** Where in a record live output can start: at its beginning, or within a line that the monitor read in two parts. */
function startIn(piece: Uint8Array, data: Uint8Array): number | undefined {
  if (overlaps(piece, data)) return 0;
  const start = piece.length - (data.indexOf(newline[0] ?? 0) + 1);
  return start > 0 && start < piece.length && overlaps(piece.subarray(start), data) ? start : undefined;
}

/** One is a prefix of the other. */
function overlaps(one: Uint8Array, other: Uint8Array): boolean {
  const length = Math.min(one.length, other.length);
  return Buffer.from(one.buffer, one.byteOffset, length).equals(other.subarray(0, length));
}

function byStream(pieces: readonly Pick<Piece, 'stream' | 'bytes'>[]): Map<string, Uint8Array> {
  const parts = new Map<string, Uint8Array[]>();
  for (const { stream, bytes } of pieces) parts.set(stream, [...(parts.get(stream) ?? []), bytes]);
  return new Map([...parts].map(([stream, all]) => [stream, Buffer.concat(all)]));
}
