import { GrpcError } from './grpc-error.js';

const headerLength = 5;
/** Largest message that is accepted, in bytes. */
const maxMessageLength = 16 * 2 ** 20;

/** A message as gRPC has it in a body: a flag for compression, the length, the message. */
export function encodeFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headerLength + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, headerLength);
  return frame;
}

/** Splits a body into its messages. @throws GrpcError for a compressed or too large message, and for a cut one. */
export async function* decodeFrames(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  let wanted = headerLength;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    wanted = lengthOf(bytes);
    while (bytes.length >= headerLength && bytes.length >= wanted) {
      yield bytes.subarray(headerLength, wanted);
      bytes = bytes.subarray(wanted);
      wanted = lengthOf(bytes);
    }
    chunks = bytes.length === 0 ? [] : [bytes];
    length = bytes.length;
  }
  if (length > 0) throw new GrpcError('internal', 'the stream ended inside a message');
}

/** Length of the frame that the bytes begin with, as far as they say. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < headerLength) return headerLength;
  if (bytes[0] !== 0) throw new GrpcError('unimplemented', 'compressed messages are not supported');
  const length = bytes.readUInt32BE(1);
  if (length > maxMessageLength) {
    throw new GrpcError('resource-exhausted', `a message of ${length} bytes is larger than ${maxMessageLength}`);
  }
  return headerLength + length;
}
