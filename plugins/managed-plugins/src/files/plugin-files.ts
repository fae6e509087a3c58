import { chown, mkdir, rm } from 'node:fs/promises';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { SharedDirectories } from '@gantry/lib-plugin-protocol';
import type { PluginRecord } from '../store/plugin-record.js';
import { directoriesOf, type PluginDirectories } from './directories-of.js';

/** The directories of plugins on disk. */
@injectable()
export class PluginFiles {
  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(SharedDirectories) private readonly shared: SharedDirectories,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  directoriesOf(id: string): PluginDirectories {
    return directoriesOf(this.directories, id);
  }

  /** Makes the directories that a running plugin needs besides its root file system. Idempotent. */
  async open({ id, manifest }: PluginRecord): Promise<void> {
    const { logs, propagated, sockets } = this.directoriesOf(id);
    const { gid, uid } = manifest.user;
    for (const directory of [sockets, logs, propagated]) {
      await mkdir(directory, { recursive: true, mode: 0o755 });
      await chown(directory, uid, gid);
    }
    if (manifest.propagatedmount !== '') await this.shared.share(propagated);
  }

  /** Ends the propagation of mounts and removes the run directory. Idempotent. */
  async close(id: string): Promise<void> {
    const { propagated, run } = this.directoriesOf(id);
    await this.shared.unshare(propagated);
    await rm(run, { recursive: true, force: true });
  }

  async remove(id: string): Promise<void> {
    await this.archives.get().removeTree(this.directoriesOf(id).directory);
  }
}
