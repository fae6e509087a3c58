import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import {
  type DriverLifecycle,
  type DriverSet,
  inject,
  injectable,
  type Orphan,
  PackageDirectories,
  replaceFile,
} from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { nameOf, type PluginRecord } from '../store/plugin-record.js';
import { PluginStore } from '../store/plugin-store.js';
import { dataKey, dataRoot, directoriesOf, propagatedIn } from './directories-of.js';
import { listTree, moveBack, moveOut } from './raw-tree.js';

/** Directories whose content does not outlive a run, and files that the engine mounts. */
const transient = ['dev', 'proc', 'run', 'sys', 'tmp', 'etc/hosts', 'etc/resolv.conf'];

/**
 * What plugins wrote: into their root file system, and into their propagated mount. It belongs to the plugin's name, so
 * that the next version, or a later installation under this name, has it.
 */
@injectable()
export class PluginData implements DriverLifecycle {
  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  /** Moves what a stopped plugin wrote out of its version's files. Idempotent. */
  async keep(plugin: PluginRecord): Promise<void> {
    const { data, imageFiles, propagated, rootfs } = directoriesOf(this.directories, plugin);
    const image = new Set((await readFile(imageFiles, 'latin1')).split('\0'));
    const { mounts, propagatedmount } = plugin.manifest;
    const skipped = [...transient, ...[propagatedmount, ...mounts.map(({ destination }) => destination)].map(relative)];
    await this.#create(plugin);
    await moveOut(rootfs, writtenIn(data), {
      stays: (entry) => image.has(entry),
      skips: (entry) => skipped.includes(entry),
    });
    const isEmpty = (await entries(propagated)).length === 0 && (await entries(writtenIn(data))).length === 0;
    if (isEmpty) await rm(data, { recursive: true });
  }

  /** Makes the directory of the data, and moves what was kept into the version's files. Idempotent. */
  async restore(plugin: PluginRecord): Promise<void> {
    const { data, rootfs } = directoriesOf(this.directories, plugin);
    await this.#create(plugin);
    if ((await entries(data)).includes(path.basename(writtenIn(data)))) await moveBack(writtenIn(data), rootfs);
  }

  async delete(name: string): Promise<void> {
    await this.archives.get().removeTree(path.join(dataRoot(this.directories), dataKey(name)));
  }

  /** The data of names under which no plugin is installed: only removed on request by its name. */
  async findOrphans(): Promise<readonly Orphan[]> {
    const names = await Promise.all((await entries(dataRoot(this.directories))).map((key) => this.#nameOf(key)));
    const isInstalled = (name: string) => this.store.list().some((record) => nameOf(record) === name);
    return names
      .filter((name) => name !== undefined && !isInstalled(name))
      .map((name = '') => ({
        what: 'plugin data',
        name,
        reason: `kept for plugin ${name}, which is not installed`,
        isQuarantined: true,
        remove: async () => {
          if (isInstalled(name)) throw conflict(`plugin ${name} is installed`);
          await this.delete(name);
        },
      }));
  }

  async #create(plugin: PluginRecord): Promise<void> {
    const { data } = directoriesOf(this.directories, plugin);
    await mkdir(data, { recursive: true, mode: 0o711 });
    if ((await entries(data)).includes('name')) return;
    await replaceFile(nameFileIn(data), nameOf(plugin));
  }

  async #nameOf(key: string): Promise<string | undefined> {
    return readFile(nameFileIn(path.join(dataRoot(this.directories), key)), 'utf8').catch(() => undefined);
  }
}

/** Records which files a version's image brought. */
export async function recordImageFiles(rootfs: string, file: string): Promise<void> {
  await writeFile(file, (await listTree(rootfs)).join('\0'), 'latin1');
}

const nameFileIn = (data: string): string => path.join(data, 'name');
const writtenIn = (data: string): string => path.join(data, 'rootfs');
const relative = (inside: string): string => path.posix.join('/', inside).slice(1);

const entries = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/** The propagated mounts of plugins for which `isKept` does not hold, by the key of their data. */
export async function propagatedMounts(
  directories: PackageDirectories,
  isKept: (key: string) => boolean,
): Promise<readonly string[]> {
  const keys = (await entries(dataRoot(directories))).filter((key) => !isKept(key));
  return keys.map((key) => propagatedIn(path.join(dataRoot(directories), key)));
}
