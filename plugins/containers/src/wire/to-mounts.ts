import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerRecord, MountPoint } from '../record.js';
import type { Shown } from './shown.js';

/**
 * Mounts, as inspect and the list show them. A file system in memory is shown when it was asked for as a mount; those
 * of HostConfig.Tmpfs are shown there.
 */
export const toMounts = ({ config, mounts, hostConfig }: ContainerRecord) =>
  mounts
    .filter(({ hidden }) => !hidden)
    .filter(({ type, destination }) => type !== 'tmpfs' || hostConfig.Tmpfs?.[destination] === undefined)
    .map((mount) => toMount(mount, modeOf(mount, config)));

/**
 * Options of a file system in memory are shown in HostConfig.Mounts. A volume that was asked for without a mode has `z`, with
 * which clients that recreate containers ask for it again; one that the image asks for has none.
 */
function modeOf({ destination, mode, type }: MountPoint, { Volumes }: ContainerRecord['config']): string {
  if (type === 'tmpfs') return '';
  return type === 'volume' && mode === '' && Volumes?.[destination] === undefined ? 'z' : mode;
}

const toMount = (mount: MountPoint, mode: string) =>
  ({
    Type: mount.type,
    ...(mount.name !== undefined && { Name: mount.name }),
    ...(mount.image !== undefined && { Name: mount.image.reference }),
    Source: mount.source,
    Destination: mount.destination,
    ...(mount.type === 'volume' && { Driver: mount.driver ?? '' }),
    Mode: mode,
    RW: mount.readWrite,
    Propagation: mount.propagation,
  }) satisfies Shown<ContainerInspectInfo['Mounts'][number]>;
