import path from 'node:path';
import type { PackageDirectories } from '@gantry/core/driver';

/** The directories of one plugin. */
export interface PluginDirectories {
  /** Durable, with everything below. */
  readonly directory: string;
  readonly rootfs: string;
  /** Where the plugin's mounts appear on the host. */
  readonly propagated: string;
  /** Gone after a reboot, with everything below. */
  readonly run: string;
  readonly sockets: string;
  readonly logs: string;
}

/** The paths; nothing is created. */
export function directoriesOf({ root, state }: PackageDirectories, id: string): PluginDirectories {
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
