import { MessageChannel } from 'node:worker_threads';

/** Less is not worth the call, and may be a part of memory that others use, too. */
const least = 32 * 1024;

const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Frees the memory of buffers that nobody uses any more, and does not leave it to the garbage collector, which would
 * go over the whole heap for every few megabytes of a download.
 */
export function giveUpMemory(buffers: readonly Buffer[]): void {
  for (const { buffer, byteLength } of buffers) {
    // A message that is sent nowhere takes along what is handed over with it.
    if (byteLength >= least && byteLength === buffer.byteLength)
      nowhere.postMessage(undefined, [buffer as ArrayBuffer]);
  }
}
