import type { Image } from '@gantry/images/service';
import type { ContainerLookup } from '../container-lookup.js';
import type { ReadyMount } from '../mounts/ready-mount.js';
import type { ContainerRecord } from '../record.js';
import type { NetworkFiles } from '../sandbox/network-files.js';
import type { ResolvedLink } from '../sandbox/resolved-link.js';
import type { ExecProcessRequest } from '../service.js';

export interface SpecRequest {
  readonly record: ContainerRecord;
  /** Undefined when the image was removed by force after the container was made. */
  readonly image: Image | undefined;
  /** Host path of the mounted root file system. */
  readonly rootfs: string;
  /** In mounting order, with the host paths to mount from; tmpfs mounts have none. */
  readonly mounts: readonly ReadyMount[];
  /** Undefined: the host's own network stack. */
  readonly networkNamespace: string | undefined;
  readonly files: NetworkFiles | undefined;
  /** For environment variables of links. */
  readonly links: readonly ResolvedLink[];
  readonly containers: ContainerLookup;
  /** The container's own directory. */
  readonly directory: string;
}

export interface ExecSpecRequest {
  readonly record: ContainerRecord;
  /** For environment variables of links. */
  readonly links: readonly ResolvedLink[];
  readonly rootfs: string;
  readonly exec: ExecProcessRequest;
}
