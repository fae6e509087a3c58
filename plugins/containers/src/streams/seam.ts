import type { LogRecord } from '@gantry/core/contracts';
import type { LiveChunk } from './container-streams.js';

/** Bytes of past output that are kept to compare; what is older does not come again. */
const kept = 4 * 2 ** 20;
/** New output that arrives later than this after the end of the past is none of it, in milliseconds, if all is quick. */
const longestWay = 250;
/** How many times as long as what the attaching took new output may be on its way: a busy host is slow with all. */
const slowness = 8;
/** Fewer bytes of a longer piece of output are the same by chance. */
const significant = 64;
/** Two clocks that tell the same time differ by less than this, in milliseconds. */
const clockSlack = 2;

/** The end of the past that a client has, in the pieces in which it was written. */
interface Piece {
  readonly stream: LiveChunk['stream'];
  /** When it was written, in milliseconds since the epoch. */
  readonly time: number;
  readonly bytes: Uint8Array;
}

const newline = Buffer.from('\n');

/**
 * Where past output from the log goes over into new output from the task. Both have what was written in the moments
 * around the attaching, and new output begins somewhere in the last pieces of the past: where its first bytes are the
 * same as theirs, it is left out until the past is over.
 */
export class Seam {
  #pieces: Piece[] = [];
  #size = 0;
  /** Bytes to come of each stream that the client has from the log; undefined until new output has come. */
  #again: Map<string, number> | undefined;
  #longestWay = longestWay;

  /** Nothing that was written before `from` comes as new output, nothing after `until` is from the log: nanoseconds. */
  constructor(private readonly span: { readonly from: bigint; readonly until: bigint }) {}

  /** The client gets this record from the log. */
  see({ time, stream, line, partial }: LogRecord): void {
    if (time < this.span.from) return;
    const bytes = partial ? line : Buffer.concat([line, newline]);
    this.#pieces.push({ stream, time: milliseconds(time), bytes });
    this.#size += bytes.length;
    while (this.#size > kept) this.#size -= this.#pieces.shift()?.bytes.length ?? this.#size;
  }

  /** The attaching took so long, in milliseconds, of which most is waiting for others. */
  took(milliseconds: number): void {
    this.#longestWay = Math.max(longestWay, slowness * milliseconds);
  }

  /** What of new output, in the order it comes in and of wanted streams only, the client has not had from the log. */
  rest(chunks: LiveChunk[]): LiveChunk[] {
    const [first] = chunks;
    if (first === undefined) return chunks;
    this.#again ??= this.#had(first, chunks);
    this.#pieces = [];
    if (this.#again.size === 0) return chunks;
    return chunks.flatMap((chunk) => this.#newIn(chunk));
  }

  #newIn(chunk: LiveChunk): LiveChunk[] {
    const again = this.#again?.get(chunk.stream) ?? 0;
    if (again === 0) return [chunk];
    this.#again?.set(chunk.stream, Math.max(again - chunk.data.length, 0));
    return again >= chunk.data.length ? [] : [{ ...chunk, data: chunk.data.subarray(again) }];
  }

  /** The latest place in the past where new output can begin: output that repeats itself is rather told twice. */
  #had(first: LiveChunk, chunks: readonly LiveChunk[]): Map<string, number> {
    if (first.at > milliseconds(this.span.until) + this.#longestWay) return new Map();
    const fresh = byStream(chunks.map(({ stream, data }) => ({ stream, bytes: data })));
    for (let at = this.#pieces.length - 1; at >= 0; at -= 1) {
      const piece = this.#pieces[at];
      if (piece?.stream !== first.stream || piece.time > first.at + clockSlack) continue;
      const start = beginsIn(piece.bytes, first.data);
      if (start === undefined) continue;
      const past = byStream([
        { stream: piece.stream, bytes: piece.bytes.subarray(start) },
        ...this.#pieces.slice(at + 1),
      ]);
      const same = Math.min(past.get(first.stream)?.length ?? 0, fresh.get(first.stream)?.length ?? 0);
      if (same < (start > 0 ? significant : Math.min(first.data.length, significant))) continue;
      if ([...past].every(([stream, bytes]) => agree(bytes, fresh.get(stream) ?? newline.subarray(0, 0)))) {
        return new Map([...past].map(([stream, bytes]) => [stream, bytes.length]));
      }
    }
    return new Map();
  }
}

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6;

/** Where in a piece of the past new output can begin: at its start, or within a line that the monitor read in two parts. */
function beginsIn(piece: Uint8Array, data: Uint8Array): number | undefined {
  if (agree(piece, data)) return 0;
  const start = piece.length - (data.indexOf(newline[0] ?? 0) + 1);
  return start > 0 && start < piece.length && agree(piece.subarray(start), data) ? start : undefined;
}

/** One begins with the other. */
function agree(one: Uint8Array, other: Uint8Array): boolean {
  const length = Math.min(one.length, other.length);
  return Buffer.from(one.buffer, one.byteOffset, length).equals(other.subarray(0, length));
}

function byStream(pieces: readonly Pick<Piece, 'stream' | 'bytes'>[]): Map<string, Uint8Array> {
  const parts = new Map<string, Uint8Array[]>();
  for (const { stream, bytes } of pieces) parts.set(stream, [...(parts.get(stream) ?? []), bytes]);
  return new Map([...parts].map(([stream, all]) => [stream, Buffer.concat(all)]));
}
