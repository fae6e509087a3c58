import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { directoryPrefix, mountsBelow } from './directories.js';

/** What this process holds of the host, by name, so that a difference can be printed. */
type Stock = ReadonlyMap<string, number>;

/** Names of further resources of the host that a suite checks for leaks, such as links or rules. */
export type LeakProbe = () => readonly string[];

export const takeStock = (probes: readonly LeakProbe[] = []): Stock =>
  count([...children(), ...namespaceFiles(), ...descriptors(), ...probes.flatMap((probe) => probe())]);

/**
 * Names what is there now and was not `before`. The kernel takes some things down a moment after their last user is
 * gone, so only what is still there after `timeout` (ms) counts.
 */
export async function leaksSince(before: Stock, probes: readonly LeakProbe[] = [], timeout = 5000): Promise<string[]> {
  return whatStays(timeout, () =>
    [...takeStock(probes)].flatMap(([name, now]) => {
      const more = now - (before.get(name) ?? 0);
      return more > 0 ? [more === 1 ? name : `${name} (${more})`] : [];
    }),
  );
}

/**
 * Mounts and open files below one check's directory, which no other check shares. An aborted reading may need a moment to
 * close its files, so only what is still there after `timeout` (ms) counts.
 */
export async function leaksBelow(directory: string, timeout = 5000): Promise<string[]> {
  return whatStays(timeout, () => [
    ...mountsBelow(directory).map((point) => `mount ${point}`),
    ...targets()
      .filter((target) => target.startsWith(`${directory}/`))
      .map((target) => `open file ${target}`),
  ]);
}

/** Looks until there is nothing, for `timeout` (ms) at most. @returns what the last look has found. */
async function whatStays(timeout: number, find: () => string[]): Promise<string[]> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const found = find();
    if (found.length === 0 || Date.now() > deadline) return found;
    await delay(50);
  }
}

function count(names: readonly string[]): Stock {
  const stock = new Map<string, number>();
  for (const name of names) stock.set(name, (stock.get(name) ?? 0) + 1);
  return stock;
}

const children = (): string[] =>
  list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [, command, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
      return Number(parent) === process.pid ? [`child process ${pid} (${command})`] : [];
    });

/** Named network namespaces of the kit's own directories; those of the host are not compared. */
const namespaceFiles = (): string[] =>
  read('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(' - nsfs ') && line.includes(directoryPrefix))
    .map((line) => `namespace file ${line.split(' ')[4]}`);

/** By what they lead to. Sockets and pipes have numbers for names; they are counted. */
const descriptors = (): string[] =>
  targets().flatMap((target) => {
    if (/^(socket|pipe):/.test(target)) return [`open ${target.split(':')[0]}`];
    // libuv keeps one of each for the life of the process once it was needed.
    if (/^anon_inode:(inotify|\[?(eventpoll|eventfd|io_uring)\]?)$/.test(target)) return [];
    return /^(anon_inode|net|mnt|pid|user|ipc|uts):/.test(target) || target.startsWith(directoryPrefix)
      ? [`open ${target}`]
      : [];
  });

const targets = (): string[] => list('/proc/self/fd').map((fd) => link(`/proc/self/fd/${fd}`));

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // gone between the two readings
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
