import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { PackageDirectories } from '@gantry/core/driver';
import { nameOf, type PluginRecord } from '../store/plugin-record.js';
import { PluginContent } from './plugin-content.js';

/** What names the directories of a plugin. */
export type InstalledPlugin = Pick<PluginRecord, 'id' | 'files' | 'repository' | 'tag'>;

/** The directory of one version. Durable, with everything below. */
export interface VersionDirectory {
  readonly directory: string;
  readonly rootfs: string;
  /** Lists the files that the image brought. */
  readonly imageFiles: string;
  readonly content: PluginContent;
}

/** The directories of one plugin, with those of the version that is installed. */
export interface PluginDirectories extends VersionDirectory {
  /** What the plugin wrote. Durable, belongs to the plugin's name, and survives upgrade and removal. */
  readonly data: string;
  /** Where the plugin's mounts appear on the host. */
  readonly propagated: string;
  /** Gone after a reboot, with everything below. */
  readonly run: string;
  readonly sockets: string;
  readonly logs: string;
}

/** The paths; nothing is created. */
export function directoriesOf(directories: PackageDirectories, plugin: InstalledPlugin): PluginDirectories {
  const data = path.join(dataRoot(directories), dataKey(nameOf(plugin)));
  const run = path.join(directories.state, runKey(plugin.id));
  return {
    ...versionDirectory(versionPath(directories, plugin.files)),
    data,
    propagated: propagatedIn(data),
    run,
    sockets: path.join(run, 'sockets'),
    logs: path.join(run, 'logs'),
  };
}

/** Directories beside those of the plugins' versions. */
const dataEntry = 'data';

/** The path of one version's directory. */
export const versionPath = ({ root }: PackageDirectories, files: string): string => path.join(root, files);

/** What is in the directory of a version; nothing is created. */
export const versionDirectory = (directory: string): VersionDirectory => ({
  directory,
  rootfs: path.join(directory, 'rootfs'),
  imageFiles: path.join(directory, 'image-files'),
  content: new PluginContent(path.join(directory, 'content')),
});

/** A name for the directory of a version that is about to be installed. */
export const randomName = (): string => randomBytes(32).toString('hex');

/** Whether an entry of the package's root is the directory of a version. */
export const isVersion = (entry: string): boolean => entry !== dataEntry;

/** Holds a directory for each name that has data. */
export const dataRoot = ({ root }: PackageDirectories): string => path.join(root, dataEntry);

/** A name can be longer than a file's name. */
export const dataKey = (name: string): string => createHash('sha256').update(name).digest('hex');

export const propagatedIn = (data: string): string => path.join(data, 'propagated-mount');

/** Short, because the path of a socket has at most 107 bytes. */
export const runKey = (id: string): string => id.slice(0, 16);
