import type { PathChange } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { MountPoint } from '../record.js';

/** The root file systems of containers, for areas that work on files in them. */
export interface ContainerRoots {
  /** Mounts the root, with `volumes` the volumes too. The caller releases it. On rejection nothing stays mounted. */
  hold(reference: string, options: { readonly volumes: boolean }): Promise<HeldRoot>;
  /**
   * The files `hosts`, `hostname` and `resolv.conf` of the network the container is in, and where they are mounted. Empty
   * before the first start.
   */
  networkFiles(containerId: string): Promise<readonly NetworkFile[]>;
  /** What the container changed in its root, sorted by path, without the mount points that a start creates. */
  changes(reference: string, options: { readonly signal: AbortSignal }): Promise<readonly PathChange[]>;
}

/** A container's root file system, mounted, also while it does not run. */
export interface HeldRoot {
  /** Full id of the container. */
  readonly containerId: string;
  readonly directory: string;
  /** Volumes and binds with the host paths they come from. */
  readonly mounts: readonly { readonly mount: MountPoint; readonly hostPath: string }[];
  /** Unmounts what has no other user. Never rejects; a second call does nothing. */
  release(): Promise<void>;
}

export interface NetworkFile {
  /** Path on the host. */
  readonly source: string;
  /** Path in the container. */
  readonly target: string;
}

export const ContainerRoots: ServicePoint<ContainerRoots> = servicePoint<ContainerRoots>('container-roots');
