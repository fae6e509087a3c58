import type { Writable } from 'node:stream';

/** Stream types of the multiplexed format, as byte 0 of a frame's header. `systemerr`: the engine's own words at the end. */
const streamIds = { stdin: 0, stdout: 1, stderr: 2, systemerr: 3 } as const;

export type StreamName = Exclude<keyof typeof streamIds, 'systemerr'>;

/** Bytes in front of every payload: [stream, 0, 0, 0, length as a big-endian 32-bit integer]. */
export const frameHeaderLength = 8;

/** From this size on, copying a payload behind its header costs more than a second entry in a vectored write. */
const copyLimit = 16 * 1024;

function putHeader(target: Buffer, offset: number, stream: keyof typeof streamIds, length: number): void {
  target.writeUInt32BE(streamIds[stream] * 2 ** 24, offset);
  target.writeUInt32BE(length, offset + 4);
}

/** The header of one frame. `length` is that of the payload in bytes, below 2^32. */
export function frameHeader(stream: StreamName, length: number): Buffer {
  const header = Buffer.allocUnsafe(frameHeaderLength);
  putHeader(header, 0, stream, length);
  return header;
}

/** One frame with a copy of the payload. */
export function frame(stream: keyof typeof streamIds, payload: Uint8Array): Buffer {
  const target = Buffer.allocUnsafe(frameHeaderLength + payload.length);
  putHeader(target, 0, stream, payload.length);
  target.set(payload, frameHeaderLength);
  return target;
}

/** What one frame carries. */
export interface Chunk {
  readonly stream: StreamName;
  readonly data: Uint8Array;
}

/** All chunks as consecutive frames in one buffer, so that many short lines cost one write. */
export function frames(chunks: readonly Chunk[]): Buffer {
  let length = 0;
  for (const chunk of chunks) length += frameHeaderLength + chunk.data.length;
  const target = Buffer.allocUnsafe(length);
  let offset = 0;
  for (const { stream, data } of chunks) {
    putHeader(target, offset, stream, data.length);
    target.set(data, offset + frameHeaderLength);
    offset += frameHeaderLength + data.length;
  }
  return target;
}

/**
 * Writes one frame. A large payload is not copied: header and payload leave in one vectored write.
 * @returns false when the writer should wait for 'drain', as `Writable.write` does.
 */
export function writeFrame(target: Writable, stream: StreamName, payload: Uint8Array): boolean {
  if (payload.length < copyLimit) return target.write(frame(stream, payload));
  target.cork();
  target.write(frameHeader(stream, payload.length));
  const goOn = target.write(payload);
  target.uncork();
  return goOn;
}
