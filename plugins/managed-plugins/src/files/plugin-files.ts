import { chown, mkdir, rename, rm } from 'node:fs/promises';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { SharedDirectories } from '@gantry/lib-plugin-protocol';
import type { PluginRecord } from '../store/plugin-record.js';
import {
  directoriesOf,
  type InstalledPlugin,
  type PluginDirectories,
  type VersionDirectory,
  versionDirectory,
  versionPath,
} from './directories-of.js';
import { PluginData, recordImageFiles } from './plugin-data.js';

/** The directories of plugins on disk. */
@injectable()
export class PluginFiles {
  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(SharedDirectories) private readonly shared: SharedDirectories,
    @inject(PluginData) private readonly data: PluginData,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  directoriesOf(plugin: InstalledPlugin): PluginDirectories {
    return directoriesOf(this.directories, plugin);
  }

  /** Makes the directories that a running plugin needs besides its root file system, and restores its data. Idempotent. */
  async open(plugin: PluginRecord): Promise<void> {
    const { logs, propagated, sockets } = this.directoriesOf(plugin);
    const { gid, uid } = plugin.manifest.user;
    await this.data.restore(plugin);
    for (const directory of [sockets, logs, propagated]) {
      await mkdir(directory, { recursive: true, mode: 0o755 });
      await chown(directory, uid, gid);
    }
    if (plugin.manifest.propagatedmount !== '') await this.shared.share(propagated);
  }

  /** Ends the propagation of mounts and removes the run directory. Idempotent. */
  async close(plugin: InstalledPlugin): Promise<void> {
    const { propagated, run } = this.directoriesOf(plugin);
    await this.shared.unshare(propagated);
    await rm(run, { recursive: true, force: true });
  }

  /**
   * Makes the directory of a version: `write` fills its root file system and its content. On rejection nothing is left.
   * @param files its name.
   */
  async create(files: string, write: (version: VersionDirectory) => Promise<void>): Promise<void> {
    const partial = versionPath(this.directories, `${files}${partialSuffix}`);
    const version = versionDirectory(partial);
    await mkdir(version.rootfs, { recursive: true, mode: 0o755 });
    try {
      await version.content.create();
      await write(version);
      await recordImageFiles(version.rootfs, version.imageFiles);
      crashPoint('plugin.pull.unpacked');
      await rename(partial, versionPath(this.directories, files));
    } catch (error) {
      await this.archives.get().removeTree(partial);
      throw error;
    }
  }

  /** Deletes a version; data that was kept stays. */
  async remove(files: string): Promise<void> {
    await this.archives.get().removeTree(versionPath(this.directories, files));
  }
}

/** Suffix of an incomplete directory. */
const partialSuffix = '.part';
