import path from 'node:path';
import { filesBelow, hostState } from '@gantry/host';
import type { Daemon } from '@gantry/test-nodes';

/** Everything a daemon and its containers take of the host, as lines: the host tests' view, and what files hold. */
export async function hostOf(daemon: Daemon): Promise<readonly string[]> {
  const [taken, ...files] = await Promise.all([
    hostState(daemon),
    ...['data/drivers', 'data/plugins', 'run/plugins'].map((place) =>
      filesBelow(path.join(daemon.directory, place), 3),
    ),
  ]);
  return [...taken, ...files.flat()].filter((line) => !isPassing(line)).sort();
}

/**
 * What grows and goes as time passes, and stands for nothing: segments of logs and events, files of databases, and the
 * directory that the first overlay network creates.
 */
const isPassing = (line: string): boolean =>
  /\/plugins\/(events|containers\/[0-9a-f]{64})\/|\/state-lmdb\/|\/network-overlay\/networks$/.test(line);

/** Sockets that are fewer than before are no leak: connections of the past end when they want. */
export const leaks = (before: readonly string[], now: readonly string[]): readonly string[] => {
  const sockets = (lines: readonly string[]): number => Number(lines.find(isSockets)?.split(' ')[1]);
  const rest = differences(
    before.filter((line) => !isSockets(line)),
    now.filter((line) => !isSockets(line)),
  );
  const more = sockets(now) - sockets(before);
  return more > 0 ? [...rest, `+ ${more} sockets`] : rest;
};

const isSockets = (line: string): boolean => line.startsWith('sockets ');

/** Lines that one has and the other has not, with a sign. */
export function differences(wanted: readonly string[], found: readonly string[]): readonly string[] {
  const rest = [...found];
  const missing = wanted.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((line) => `- ${line}`), ...rest.map((line) => `+ ${line}`)];
}
