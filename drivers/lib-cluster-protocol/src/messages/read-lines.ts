import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { unavailable } from '@gantry/core/errors';

/** Characters of one line, at most. */
const lineLimit = 64 * 1024 * 1024;

/** The JSON values of a stream with one a line. Throws `unavailable` when the stream ends in the middle of one. */
export async function* readLines(stream: Readable): AsyncGenerator<unknown> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const bytes of stream) {
    const lines = (rest + decoder.write(bytes as Buffer)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineLimit) throw unavailable('a message of another node is too long');
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
  if (rest !== '') throw unavailable('the connection ended in the middle of a message');
}
