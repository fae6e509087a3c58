import type { Readable } from 'node:stream';

interface Collected {
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

/** Reads to the end and keeps the first so many bytes. A stream that breaks ends there. */
export async function collect(source: Readable, maximum: number): Promise<Collected> {
  const chunks: Buffer[] = [];
  let kept = 0;
  let truncated = false;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const room = maximum - kept;
      if (chunk.length > room) truncated = true;
      if (room <= 0) continue;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      kept += Math.min(chunk.length, room);
    }
  } catch {
    truncated = true;
  }
  return { bytes: Buffer.concat(chunks), truncated };
}
