import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Deletes a spool file unread. @returns how many lines it had from the offset on. */
export async function discardSpool(path: string, offset: number): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(path, { start: offset, highWaterMark: 2 ** 20 })) {
    const bytes: Buffer = chunk;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++;
  }
  await rm(path, { force: true });
  return lines;
}
