import type { Readable } from 'node:stream';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { BuildOutput } from './contract/build-output.js';
import type { BuildRequest } from './contract/build-request.js';
import type { BuildOptions } from './image-build.js';

export type { BuildOutput, StageOutput, StagePosition } from './contract/build-output.js';
export type { BuildRequest, FindCredentials, StepLimits } from './contract/build-request.js';
export type { Instruction, Stage } from './file/instruction.js';
export type { BuildOptions } from './image-build.js';
export { StepFailed } from './steps/step-failed.js';

/** Where the files of a build come from. */
export interface BuildSource {
  readonly buildFile: { readonly name: string; readonly text: string };
  /**
   * An uncompressed tar of the context, called at most once and not before a step needs a file of it. `paths` are the
   * only ones that steps copy from; undefined when that is not known. An error of the stream fails the step.
   */
  archive(paths: readonly string[] | undefined): Readable;
}

/** The builder, for areas that speak to clients of another protocol than `POST /build`. */
export interface BuildService {
  /**
   * Resolves to the id of the image once `complete` has resolved, which is called with that id while the build still
   * holds the image. On rejection no container and no file of the build is left.
   */
  build(
    source: BuildSource,
    request: BuildRequest,
    output: BuildOutput,
    options: BuildOptions & { readonly complete: (imageId: string) => Promise<void> },
  ): Promise<string>;
}

export const BuildService: ServicePoint<BuildService> = servicePoint<BuildService>('build');
