import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackageDirectories } from '@gantry/core/driver';

/** Prefix of the kit's directories of this process, which distinguishes leaks from files of others. */
export const directoryPrefix = join(tmpdir(), `gantry-conformance-${process.pid}-`);

/** A directory of a check's own; the caller removes it. */
export const freshDirectory = (): Promise<string> => mkdtemp(directoryPrefix);

/** `root` and `state` under one directory, made when absent. */
export function packageDirectories(base: string): PackageDirectories {
  const directories = { root: join(base, 'root'), state: join(base, 'state') };
  mkdirSync(directories.root, { recursive: true });
  mkdirSync(directories.state, { recursive: true });
  return directories;
}

/** Mount points at or below a path, the last mounted first. */
export function mountsBelow(path: string): readonly string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => withoutOctals(line.split(' ')[4] ?? ''))
    .filter((point) => point === path || point.startsWith(`${path}/`))
    .reverse();
}

/** Unmounts everything at or below a path, as a reboot would. */
export function unmountBelow(path: string): void {
  for (const point of mountsBelow(path)) spawnSync('umount', ['-l', point]);
}

/** Removes a check's directory, whatever is mounted in it. */
export function removeDirectory(path: string): void {
  unmountBelow(path);
  rmSync(path, { recursive: true, force: true });
}

/** mountinfo writes blanks and backslashes as octal numbers. */
const withoutOctals = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
