import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerRecord, MountPoint } from '../record.js';
import type { Shown } from './shown.js';

/**
 * Mounts, as inspect and the list show them. A file system in memory is shown when it was asked for as a mount; those
 * of HostConfig.Tmpfs are shown there.
 */
export const toMounts = ({ mounts, hostConfig }: ContainerRecord) =>
  mounts
    .filter(({ hidden }) => !hidden)
    .filter(({ type, destination }) => type !== 'tmpfs' || hostConfig.Tmpfs?.[destination] === undefined)
    .map(toMount);

const toMount = (mount: MountPoint) =>
  ({
    Type: mount.type,
    ...(mount.name !== undefined && { Name: mount.name }),
    ...(mount.image !== undefined && { Name: mount.image.reference }),
    Source: mount.source,
    Destination: mount.destination,
    ...(mount.type === 'volume' && { Driver: mount.driver ?? '' }),
    // The options of a file system in memory are shown in HostConfig.Mounts.
    Mode: mount.type === 'tmpfs' ? '' : mount.mode,
    RW: mount.readWrite,
    Propagation: mount.propagation,
  }) satisfies Shown<ContainerInspectInfo['Mounts'][number]>;
