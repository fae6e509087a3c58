import type { Readable } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { BuildOutput, NamedText } from './contract/build-output.js';
import type { BuildRequest } from './contract/build-request.js';
import type { BuildResult } from './contract/build-result.js';
import type { CacheFacts, PruneOptions } from './contract/cache-facts.js';
import type { ContextTransfer } from './contract/context-transfer.js';
import type { BuildOptions } from './image-build.js';

export type { BuildOutput, ImageOutput, NamedText, StageOutput, StagePosition } from './contract/build-output.js';
export type {
  BuildRequest,
  CacheImport,
  FindCredentials,
  NamedContext,
  StepLimits,
} from './contract/build-request.js';
export type { BuildResult } from './contract/build-result.js';
export type { CacheFacts } from './contract/cache-facts.js';
export { cacheMatcher } from './contract/cache-matcher.js';
export type { ContextListing, ContextTransfer } from './contract/context-transfer.js';
export { BuildFileError, type BuildFileLines } from './file/build-file-error.js';
export type { Lookup } from './file/expand.js';
export type { Instruction, Stage } from './file/instruction.js';
export type { BuildOptions } from './image-build.js';
export { type LintResult, type LintWarning, lintBuildFile } from './lint/lint-build-file.js';
export { type SessionBuild, SessionBuilds } from './session-builds.js';
export { StepFailed } from './steps/step-failed.js';

/** Where the files of a build come from. */
export type BuildSource = LazySource | RemoteSource;

/** A build file that is known, and a context that is transferred when a step needs it. */
export interface LazySource {
  readonly buildFile: NamedText;
  /**
   * Names the client's directory, and what of it is left out: the same in each build with it, so that only what has
   * changed since the last one is transferred. Empty when the client does not name it.
   */
  readonly key: string;
  /**
   * The transfer of the context, called at most once and not before a step needs a file of it. `paths` are the only ones
   * that steps copy from; undefined when that is not known.
   */
  transfer(paths: readonly string[] | undefined): ContextTransfer;
}

/** A context that is there as a whole before the first step. */
export interface RemoteSource {
  /** A Git repository, or the URL of an archive or a build file; empty for `body`. */
  readonly remote: string;
  /** A tar, compressed or not. Consumed or destroyed. */
  readonly body: Readable;
  /** Path of the build file in the context. */
  readonly fileName: string;
  /** A build file from elsewhere. */
  readonly buildFile?: NamedText;
}

/** The files of an image. */
export interface ImageFiles {
  /** An uncompressed tar of everything. */
  tar(options: { readonly signal: AbortSignal }): Readable;
  /** An uncompressed tar of some paths. */
  pack(paths: readonly string[], options: { readonly signal: AbortSignal }): Readable;
  /** Never rejects. */
  release(): Promise<void>;
}

/** The builder, for areas that speak to clients of another protocol than `POST /build`. */
export interface BuildService {
  /**
   * Resolves to the id of the image once `complete` has resolved, which is called while the build still holds the image.
   * On rejection no container and no file of the build is left.
   */
  build(
    source: BuildSource,
    request: BuildRequest,
    output: BuildOutput,
    options: BuildOptions & { readonly complete: (result: BuildResult) => Promise<void> },
  ): Promise<string>;
  /** Shows the files of an image, until they are released. Rejects `not-found`. */
  openFiles(imageId: string): Promise<ImageFiles>;
  /** What is kept for later builds, except images, the least recently used first. */
  caches(): Promise<readonly CacheFacts[]>;
  /** Removes what no build uses. Resolves to what was removed. */
  pruneCaches(options: PruneOptions): Promise<readonly CacheFacts[]>;
}

export const BuildService: ServicePoint<BuildService> = servicePoint<BuildService>('build');
