/**
 * What drivers in memory keep in place of files: it outlives a driver and is found again under the same directory, as
 * long as the process lives. So the promises about a crash of the daemon can be tested, and those about the host not.
 */
const disks = new Map<string, Map<string, unknown>>();

/** What is kept under a name for a directory, made by `empty` the first time. */
export function onDisk<T>(directory: string, name: string, empty: () => T): T {
  const disk = disks.get(directory) ?? new Map<string, unknown>();
  disks.set(directory, disk);
  if (!disk.has(name)) disk.set(name, empty());
  return disk.get(name) as T;
}

/** Forgets everything of a directory. */
export function wipeDisk(directory: string): void {
  disks.delete(directory);
}
