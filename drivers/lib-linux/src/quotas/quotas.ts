import { servicePoint } from '@gantry/core/points';
import { kernelQuotas } from './kernel-quotas.js';

/**
 * Project quotas of ext4 and XFS. A *project* is a number that a directory has and that everything made in it inherits;
 * the quota limits what all of its files take.
 */
export interface ProjectQuotas {
  /** Why projects below a directory cannot be limited; undefined when they can. */
  unavailableReason(directory: string): Promise<string | undefined>;
  /**
   * Gives an empty directory a project that nothing on its file system uses, limited to so many bytes. Rejects LinuxError.
   */
  limit(directory: string, bytes: number): Promise<void>;
  /** Removes the limit of a directory's project, for a later one with the same number. Without a project: resolves. */
  release(directory: string): Promise<void>;
}

export const ProjectQuotas = servicePoint<ProjectQuotas>('linux.project-quotas', { fallback: () => kernelQuotas });
