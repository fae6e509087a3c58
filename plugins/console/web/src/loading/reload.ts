const key = 'gantry-reloads';

/** More within a period have another reason, which loading the page again does not end. */
const mostReloads = 3;
const period = 60_000;

/** Milliseconds in which interfaces that change together have all changed. */
const pause = 500;

let isReloading = false;

/**
 * Loads the page again because one of its files could not be loaded. Browsers on the engine's host abort what connects
 * whenever a network interface comes or goes, as those of containers do, and do not ask again for a script that failed.
 * @returns false when that has been tried several times within the last minute: then the page stays.
 */
export function reloadForMissingFile(): boolean {
  if (isReloading) return true;
  const now = Date.now();
  const times = JSON.parse(sessionStorage.getItem(key) ?? '[]') as readonly number[];
  const recent = times.filter((time) => now - time < period);
  if (recent.length >= mostReloads) return false;
  sessionStorage.setItem(key, JSON.stringify([...recent, now]));
  isReloading = true;
  setTimeout(() => location.reload(), pause);
  return true;
}
