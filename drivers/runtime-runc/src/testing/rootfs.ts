import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '@gantry/lib-linux/launcher';

const applets = [
  'cat',
  'dd',
  'echo',
  'env',
  'false',
  'head',
  'id',
  'kill',
  'ls',
  'printf',
  'sh',
  'sleep',
  'stty',
  'tail',
  'true',
  'yes',
];

interface Rootfs {
  readonly path: string;
  remove(): void;
}

/** A root file system of busybox, with a few programs that cannot be executed. */
export async function makeRootfs(): Promise<Rootfs> {
  const path = mkdtempSync(join(tmpdir(), 'gantry-runtime-rootfs-'));
  for (const folder of ['bin', 'dev', 'etc', 'proc', 'root', 'sys', 'tmp']) mkdirSync(join(path, folder));
  const busybox = join(path, 'bin/busybox');
  copyFileSync(await programPath('busybox'), busybox);
  for (const applet of applets) linkSync(busybox, join(path, 'bin', applet));
  const script = (name: string, text: string, mode: number): void => {
    writeFileSync(join(path, name), text);
    chmodSync(join(path, name), mode);
  };
  script('no-interpreter', '#!/no/such/interpreter\n', 0o755);
  script('not-executable', '#!/bin/sh\n', 0o644);
  script('no-program', 'neither a script nor a program\n', 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
