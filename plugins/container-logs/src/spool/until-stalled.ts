import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { positionFile } from './spool-files.js';

/** Milliseconds between two checks. */
const checkInterval = 50;

interface StallLimits {
  /** Milliseconds without progress after which the log has stalled. */
  readonly stallTimeout: number;
  /** Milliseconds to wait in total; without it, for as long as there is progress. */
  readonly timeout?: number;
  readonly signal: AbortSignal;
}

/** Resolves when a log makes no progress, which it notes in the container's directory, or the signal aborts. */
export async function untilStalled(
  directory: string,
  { stallTimeout, timeout = Number.POSITIVE_INFINITY, signal }: StallLimits,
): Promise<void> {
  const began = performance.now();
  let stalledFor = 0;
  for (let [seen, before] = ['', began]; stalledFor <= stallTimeout; ) {
    await delay(checkInterval, undefined, { signal, ref: false }).catch(() => undefined);
    const now = performance.now();
    if (signal.aborted || now - began > timeout) return;
    const last = await lastChange(directory);
    // A busy host delays this check as well, which is no evidence of a stall.
    stalledFor = last === seen ? stalledFor + Math.min(now - before, 2 * checkInterval) : 0;
    [seen, before] = [last, now];
  }
}

/** Sinks that store their position create a file in the directory; for the others the position file is rewritten. */
async function lastChange(directory: string): Promise<string> {
  const times = [positionFile.writtenAt(directory), stat(directory).then(({ mtimeMs }) => mtimeMs)];
  return (await Promise.all(times.map((time) => time.catch(() => 0)))).join();
}
