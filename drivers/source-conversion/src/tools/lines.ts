import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const longest = 4096;

/** Calls for every line, where a progress display that begins its line again ends one, too. Never rejects. */
export async function readLines(source: Readable, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.write(chunk)).split(/[\r\n]+/);
      rest = (lines.pop() ?? '').slice(-longest);
      for (const line of lines) if (line !== '') onLine(line.slice(0, longest));
    }
  } catch {
    // What broke it off is told by the program's exit.
  }
  if (rest !== '') onLine(rest);
}
