import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { SpoolFile } from './spool-reader.js';

/** Deletes a complete file unread. @returns how many lines are lost from the offset on. */
export async function giveUp(file: SpoolFile, offset: number): Promise<number> {
  file.isGivenUp = true;
  let lines = 0;
  for await (const chunk of createReadStream(file.path, { start: offset, highWaterMark: 2 ** 20 })) {
    const bytes: Buffer = chunk;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++;
  }
  await rm(file.path, { force: true });
  return lines;
}
