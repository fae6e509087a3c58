import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { positionFile } from './spool-files.js';

/** Milliseconds: how often is looked; how long nothing may happen, and when there was trouble before; and all in all. */
const pause = 50;
const patience = 1000;
const hurriedPatience = 300;
const longest = 10_000;

/**
 * Waits as long as a log makes progress, which is noted in the container's directory each time; or until the signal
 * aborts.
 */
export async function untilStill(
  directory: string,
  { hurry, signal }: { readonly hurry: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const began = performance.now();
  let still = 0;
  for (let [seen, before] = ['', began]; still <= (hurry ? hurriedPatience : patience); ) {
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
