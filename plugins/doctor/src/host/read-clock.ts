import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isClockSynchronized } from '@gantry/lib-linux/host';
import type { ClockFacts } from './host-facts.js';
import type { HostSettings } from './host-settings.js';

export async function readClock({ dataRoot }: HostSettings): Promise<ClockFacts> {
  const [built, newestData] = await Promise.all([stat(new URL(import.meta.url)), newestIn(dataRoot)]);
  return { now: Date.now(), builtAt: built.mtimeMs, newestData, synchronized: isClockSynchronized() };
}

/** Of the directories in it, which change with what they hold. */
async function newestIn(directory: string): Promise<number | undefined> {
  const names = await readdir(directory).catch(() => []);
  const times = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
