import { mkdir, readdir, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, pathExists } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';
import type { ContainerRecord } from '../record.js';
import type { ReadyMount } from './ready-mount.js';

/** Copies image content into new, empty volumes. */
@injectable()
export class VolumeInitializer {
  constructor(
    @inject(ContainerDirectories) private readonly directories: Pick<ContainerDirectories, 'of'>,
    @inject(ArchiveDrivers.token) private readonly archives: Pick<DriverSet<Pick<ArchiveDriver, 'copyTree'>>, 'get'>,
  ) {}

  /**
   * Fills the volumes of a container that was never started with what the image has at their destinations. A marker in
   * the container's directory exists until a copy is complete, so that a copy interrupted by a crash is repeated. A
   * volume in memory is left as its options made it: its content would be lost before the next start.
   */
  async initialize(record: ContainerRecord, rootfs: string, mounts: readonly ReadyMount[]): Promise<void> {
    if (record.everStarted) return;
    for (const { mount, hostPath } of mounts) {
      if (mount.type !== 'volume' || !mount.copyUp || hostPath === undefined) continue;
      const source = await directoryInside(rootfs, mount.destination);
      if (source === undefined || (await isInMemory(hostPath))) continue;
      const marker = path.join(this.directories.of(record.id), `copying-${mount.name ?? ''}`);
      if (!(await isEmpty(hostPath)) && !(await pathExists(marker))) continue;
      await mkdir(path.dirname(marker), { recursive: true });
      await writeFile(marker, '');
      await empty(hostPath);
      await this.archives.get().copyTree(source, hostPath);
      await rm(marker, { force: true });
    }
  }
}

const tmpfs = 0x01021994;

/** Whether it is a tmpfs of its own, not a directory on a root that is in memory. */
async function isInMemory(directory: string): Promise<boolean> {
  const [own, parent] = await Promise.all([stat(directory), stat(path.dirname(directory))]);
  return own.dev !== parent.dev && (await statfs(directory)).type === tmpfs;
}

const isEmpty = async (directory: string): Promise<boolean> => (await readdir(directory)).length === 0;

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await rm(path.join(directory, name), { recursive: true, force: true });
}

/** The directory at a path of the image; symbolic links must not lead out of it. Nothing runs in it yet. */
async function directoryInside(rootfs: string, destination: string): Promise<string | undefined> {
  try {
    const [root, source] = await Promise.all([realpath(rootfs), realpath(path.join(rootfs, destination))]);
    if (source !== root && !source.startsWith(`${root}/`)) return undefined;
    return (await stat(source)).isDirectory() ? source : undefined;
  } catch {
    return undefined;
  }
}
