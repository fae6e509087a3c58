import { chown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { shareDirectory, unshareDirectory } from '@gantry/lib-plugin-protocol';
import type { PluginRecord } from '../record.js';

/** The directories of one plugin. */
export interface PluginPlace {
  /** Durable: everything below. */
  readonly directory: string;
  readonly rootfs: string;
  /** Where the host sees what the plugin mounts. */
  readonly propagated: string;
  /** Gone after a reboot: everything below. */
  readonly run: string;
  readonly sockets: string;
  readonly logs: string;
}

export interface PluginDirectories {
  readonly root: string;
  readonly state: string;
}

/** Where a plugin's things are. Nothing is made. */
export function placeOf({ root, state }: PluginDirectories, id: string): PluginPlace {
  const directory = path.join(root, id);
  // The path of a socket has at most 107 bytes.
  const run = path.join(state, id.slice(0, 16));
  return {
    directory,
    rootfs: path.join(directory, 'rootfs'),
    propagated: path.join(directory, 'propagated-mount'),
    run,
    sockets: path.join(run, 'sockets'),
    logs: path.join(run, 'logs'),
  };
}

/** Makes what a plugin that runs needs beside its files. */
export async function openPlace(place: PluginPlace, { manifest }: PluginRecord): Promise<void> {
  const { gid, uid } = manifest.user;
  for (const directory of [place.sockets, place.logs, place.propagated]) {
    await mkdir(directory, { recursive: true, mode: 0o755 });
    await chown(directory, uid, gid);
  }
  if (manifest.propagatedmount !== '') await shareDirectory(place.propagated);
}

/** Takes it away. */
export async function closePlace(place: PluginPlace): Promise<void> {
  await unshareDirectory(place.propagated);
  await rm(place.run, { recursive: true, force: true });
}
