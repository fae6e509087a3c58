import { servicePoint } from '@gantry/core/points';
import { kernelSELinux } from './kernel-selinux.js';

/** The SELinux of the host's kernel, with its policy. */
export interface SELinux {
  /** The contexts that the policy has for containers; undefined where SELinux is off, or its policy names none. */
  containerContexts(): Promise<ContainerContexts | undefined>;
  /** Whether the policy knows a context. */
  isValid(context: string): Promise<boolean>;
  /**
   * Gives a file, or a directory with everything in it, a context. Links in it are not followed. File systems that store no
   * contexts keep that of their mount.
   */
  relabel(path: string, context: string): Promise<void>;
  /** Like `relabel`, for a directory whose new files have its context: one that has it is complete, and left alone. */
  relabelOnce(directory: string, context: string): Promise<void>;
}

/** Contexts without categories. */
export interface ContainerContexts {
  /** Of processes, such as `system_u:system_r:container_t:s0`. */
  readonly process: string;
  /** Of files that containers may write, such as `system_u:object_r:container_file_t:s0`. */
  readonly file: string;
  /** Of layers, such as `system_u:object_r:container_ro_file_t:s0`. */
  readonly image: string;
}

export const SELinux = servicePoint<SELinux>('linux.selinux', { fallback: () => kernelSELinux });
