import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { positionFile } from './spool-files.js';

/** How often is looked, in milliseconds. */
const pause = 50;

export interface Stillness {
  /** How long nothing may happen, in milliseconds. */
  readonly patience: number;
  /** How long it may take all in all; the default is as long as there is progress. */
  readonly longest?: number;
  readonly signal: AbortSignal;
}

/**
 * Waits as long as a log makes progress, which is noted in the container's directory each time; or until the signal
 * aborts.
 */
export async function untilStill(
  directory: string,
  { patience, longest = Number.POSITIVE_INFINITY, signal }: Stillness,
): Promise<void> {
  const began = performance.now();
  let still = 0;
  for (let [seen, before] = ['', began]; still <= patience; ) {
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    const now = performance.now();
    if (signal.aborted || now - began > longest) return;
    const last = await lastChange(directory);
    // A host that is busy holds up who looks, too.
    still = last === seen ? still + Math.min(now - before, 2 * pause) : 0;
    [seen, before] = [last, now];
  }
}

/** Sinks that store how far they are put a new file into the directory; of others the position is written anew. */
async function lastChange(directory: string): Promise<string> {
  const times = [positionFile.writtenAt(directory), stat(directory).then(({ mtimeMs }) => mtimeMs)];
  return (await Promise.all(times.map((time) => time.catch(() => 0)))).join();
}
