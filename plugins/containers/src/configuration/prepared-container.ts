import type { OciResources } from '@gantry/core/contracts';
import type { ContainerRecord } from '../record.js';
import type { ContainerConfig, HostConfig } from '../schema.js';
import type { PreparedMount } from './mounts/prepared-mount.js';

/** A new container, before anything of it is created. */
export interface PreparedContainer {
  readonly path: string;
  readonly args: readonly string[];
  /** Merged with the image's. */
  readonly config: ContainerConfig;
  /** With defaults. */
  readonly hostConfig: HostConfig;
  readonly networks: ContainerRecord['networks'];
  /** In the order of their destinations' depth. A volume without a name is made under a generated one. */
  readonly mounts: readonly PreparedMount[];
  readonly warnings: readonly string[];
}

export interface PreparedUpdate {
  readonly hostConfig: HostConfig;
  /** Undefined when no limit changes. */
  readonly resources: OciResources | undefined;
  readonly warnings: readonly string[];
}
