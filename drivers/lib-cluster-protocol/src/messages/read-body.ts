import type { Readable } from 'node:stream';
import { invalidArgument } from '@gantry/core/errors';

/** Bytes of one message, at most. */
const bodyLimit = 64 * 1024 * 1024;

/** The text of a body. Rejects `invalid-argument` when it is too long. */
export async function readBody(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const bytes of stream) {
    length += (bytes as Buffer).length;
    if (length > bodyLimit) throw invalidArgument(`a message of another node is longer than ${bodyLimit} bytes`);
    pieces.push(bytes as Buffer);
  }
  return Buffer.concat(pieces).toString();
}
