import type { TerminalSize } from '@gantry/core/contracts';
import type { CgroupDriver } from '@gantry/lib-oci';
import type { ContainerLookup } from '../container-lookup.js';
import type { ReadyMount } from '../mounts/ready-mount.js';
import type { ContainerRecord } from '../record.js';
import type { NetworkFiles } from '../sandbox/network-files.js';
import type { ResolvedLink } from '../sandbox/resolved-link.js';

export interface SpecRequest {
  readonly record: ContainerRecord;
  /** Host path of the mounted root file system. */
  readonly rootfs: string;
  /** In mounting order, with the host paths to mount from; tmpfs mounts have none. */
  readonly mounts: readonly ReadyMount[];
  /** Undefined: the host's own network stack. */
  readonly networkNamespace: string | undefined;
  /** Undefined: the host's own. */
  readonly userNamespace: string | undefined;
  readonly files: NetworkFiles | undefined;
  /** What creates the cgroup; by default the runtime itself, by the files of the hierarchy. */
  readonly cgroupDriver?: CgroupDriver | undefined;
  /** For environment variables of links. */
  readonly links: readonly ResolvedLink[];
  /** For namespaces of other containers. */
  readonly containers: ContainerLookup;
}

export interface ExecSpecRequest {
  readonly record: ContainerRecord;
  /** For environment variables of links. */
  readonly links: readonly ResolvedLink[];
  readonly rootfs: string;
  readonly exec: ExecProcessRequest;
}

/** A further process of a running container. */
export interface ExecProcessRequest {
  readonly args: readonly string[];
  readonly env?: readonly string[];
  readonly workingDir?: string;
  /** `user`, `user:group`, `uid`, `uid:gid`; undefined is the container's. */
  readonly user?: string;
  readonly privileged: boolean;
  readonly terminal: boolean;
  /** Of the terminal; without it the runtime's. */
  readonly consoleSize?: TerminalSize;
}
