import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const maxLength = 4096;

/** Calls `onLine` for every line; a carriage return, as progress displays print it, ends one too. Never rejects. */
export async function readLines(source: Readable, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.write(chunk)).split(/[\r\n]+/);
      rest = (lines.pop() ?? '').slice(-maxLength);
      for (const line of lines) if (line !== '') onLine(line.slice(0, maxLength));
    }
  } catch {
    // The program's exit status reports why its output ended early.
  }
  if (rest !== '') onLine(rest);
}
