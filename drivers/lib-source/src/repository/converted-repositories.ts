import { pathExists, type ServicePoint, servicePoint } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { Processes } from '@gantry/lib-linux/processes';
import { ToolSandbox } from '../sandbox/tool-sandbox.js';
import { authorsOf } from './authors-of.js';
import { largeFilesOf } from './large-files-of.js';
import { pushRepository } from './push-repository.js';
import type { LargeFile, SourceAuthor } from './repository-facts.js';
import { type Rewrite, rewriteRepository } from './rewrite-repository.js';

export interface RepositoryOptions {
  /** A directory for this source alone, for temporary files. */
  readonly scratch: string;
  readonly signal?: AbortSignal;
}

export interface PushOptions extends RepositoryOptions {
  /** 0 to 100: the share of objects written. Never decreasing within one call. */
  readonly onProgress?: (percent: number) => void;
}

/**
 * Work on repositories that a source driver converted, the same for every kind of source. Every method rejects
 * SourceError, or the reason of the signal.
 */
export interface ConvertedRepositories {
  /** Authors and committers of the source, before any mapping, in the order of their first commits. */
  authors(repository: string, options: RepositoryOptions): Promise<readonly SourceAuthor[]>;
  /** Files of any commit of the source with more than `limitBytes`, the largest first. */
  largeFiles(repository: string, limitBytes: number, options: RepositoryOptions): Promise<readonly LargeFile[]>;
  /**
   * Rewrites branches and tags, always from the source's commits: an empty rewrite restores them. The refs change in
   * one transaction at the end, and not at all on rejection.
   */
  rewrite(repository: string, rewrite: Rewrite, options: RepositoryOptions): Promise<void>;
  /** Makes branches, tags, HEAD and LFS objects of another bare repository of this host the same, refs in one step. */
  push(repository: string, target: string, options: PushOptions): Promise<void>;
  /**
   * Kills the programs that a killed daemon left running for a source, and removes the credentials in its scratch
   * directory. Every other method does so first.
   */
  removeOrphans(scratch: string): Promise<void>;
}

export class GitConvertedRepositories implements ConvertedRepositories {
  readonly #host: { readonly launcher: Launcher; readonly processes: Processes };

  constructor(launcher: Launcher, processes: Processes) {
    this.#host = { launcher, processes };
  }

  authors(repository: string, options: RepositoryOptions): Promise<readonly SourceAuthor[]> {
    return authorsOf(repository, { ...options, ...this.#host });
  }

  largeFiles(repository: string, limitBytes: number, options: RepositoryOptions): Promise<readonly LargeFile[]> {
    return largeFilesOf(repository, limitBytes, { ...options, ...this.#host });
  }

  rewrite(repository: string, rewrite: Rewrite, options: RepositoryOptions): Promise<void> {
    return rewriteRepository(repository, rewrite, { ...options, ...this.#host });
  }

  push(repository: string, target: string, options: PushOptions): Promise<void> {
    return pushRepository(repository, target, { ...options, ...this.#host });
  }

  async removeOrphans(scratch: string): Promise<void> {
    if (await pathExists(scratch)) await (await ToolSandbox.open({ scratch, ...this.#host })).close();
  }
}

/** A port: git does the work unless a package provides something else, as tests do. */
export const ConvertedRepositories: ServicePoint<ConvertedRepositories> = servicePoint('converted-repositories', {
  requires: [Launcher, Processes],
  fallback: (launcher: Launcher, processes: Processes) => new GitConvertedRepositories(launcher, processes),
});
