import type { Readable, Writable } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { cleanUpRepository } from './clean-up-repository.js';
import { createRepository } from './create-repository.js';
import { hasWorkflows } from './has-workflows.js';
import { openStaging, publishRefs } from './staging.js';
import { advertiseRefs, uploadPack } from './upload-pack.js';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions {
  /** The client's `Git-Protocol` header; unknown values are ignored. */
  readonly protocol?: string | undefined;
}

/**
 * Bare Git repositories on this host, served to clients read-only. No configuration of the host applies, no hook runs,
 * and git never prompts. Every method rejects `unavailable` when git is not installed.
 */
export interface GitHosting {
  /** Creates an empty repository with the branch `main`, unless it exists. A crash leaves none or a complete one. */
  create(repository: string, options?: CallOptions): Promise<void>;
  /** The response to `GET info/refs?service=git-upload-pack`. */
  advertiseRefs(repository: string, options?: ReadOptions): Promise<Buffer>;
  /**
   * The response to `POST git-upload-pack`. `openResponse` is called with the first output, so that an earlier failure
   * can still be answered with an error.
   */
  uploadPack(repository: string, request: Readable, openResponse: () => Writable, options?: ReadOptions): Promise<void>;
  /**
   * A second repository that shares objects and large files with a hosted one, to push to: readers see its branches
   * and tags after `publishRefs`. It lies within the hosted one, and is deleted with it.
   */
  openStaging(repository: string, options?: CallOptions): Promise<string>;
  /** Replaces the refs of a hosted repository by those of its staging repository, atomically for readers. */
  publishRefs(repository: string, options?: CallOptions): Promise<void>;
  /**
   * Removes lock files and temporary objects of a killed push, and repacks a fragmented repository. There must be no
   * concurrent writer. Objects of the last hour stay for readers.
   */
  cleanUp(repository: string, options?: CallOptions): Promise<void>;
  /** Whether the default branch has a workflow: a YAML file in one of the directories for them. */
  hasWorkflows(repository: string, options?: CallOptions): Promise<boolean>;
}

/** Hosting by the git program. */
export class ProgramGitHosting implements GitHosting {
  constructor(private readonly launcher: Launcher) {}

  create(repository: string, options: CallOptions = {}): Promise<void> {
    return createRepository(repository, { ...options, launcher: this.launcher });
  }

  advertiseRefs(repository: string, options: ReadOptions = {}): Promise<Buffer> {
    return advertiseRefs(repository, { ...options, launcher: this.launcher });
  }

  uploadPack(
    repository: string,
    request: Readable,
    openResponse: () => Writable,
    options: ReadOptions = {},
  ): Promise<void> {
    return uploadPack(repository, request, openResponse, { ...options, launcher: this.launcher });
  }

  openStaging(repository: string, options: CallOptions = {}): Promise<string> {
    return openStaging(repository, { ...options, launcher: this.launcher });
  }

  publishRefs(repository: string, options: CallOptions = {}): Promise<void> {
    return publishRefs(repository, { ...options, launcher: this.launcher });
  }

  cleanUp(repository: string, options: CallOptions = {}): Promise<void> {
    return cleanUpRepository(repository, { ...options, launcher: this.launcher });
  }

  hasWorkflows(repository: string, options: CallOptions = {}): Promise<boolean> {
    return hasWorkflows(repository, { ...options, launcher: this.launcher });
  }
}

/** A port: the git program hosts unless a package provides something else. */
export const GitHosting: ServicePoint<GitHosting> = servicePoint('git-hosting', {
  requires: [Launcher],
  fallback: (launcher: Launcher) => new ProgramGitHosting(launcher),
});
