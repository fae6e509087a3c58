import type { IncomingMessage } from 'node:http';

/** For a body that is read into memory whole, in milliseconds: one that trickles in does not keep us for ever. */
const deadline = 120_000;

/** Reads a whole body. Rejects, and leaves the connection, when it has more than `limit` bytes or takes too long. */
export async function readBody(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => response.destroy(new Error(`no whole answer in ${deadline / 1000} s`)), deadline);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) {
        response.destroy();
        throw new Error(`the registry's answer has more than ${limit} bytes`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(late);
  }
}

export const readText = async (response: IncomingMessage, limit: number): Promise<string> =>
  (await readBody(response, limit)).toString('utf8');

/** Discards an unread answer, keeping the connection when little of it is left. */
export async function discard(response: IncomingMessage): Promise<void> {
  await readBody(response, 1024 * 1024).catch(() => undefined);
}
