import type { StepJudge } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { BuildCounts } from './build-counts.js';
import { CacheSources } from './cache/cache-sources.js';
import { CachedSteps } from './cache/cached-steps.js';
import { ContextOpener, type OpenContext } from './context/context-opener.js';
import { NamedContexts } from './context/named-contexts.js';
import type { BuildOutput } from './contract/build-output.js';
import type { BuildRequest } from './contract/build-request.js';
import type { BuildResult } from './contract/build-result.js';
import { expandWord } from './file/expand.js';
import type { BuildFile, Instruction } from './file/instruction.js';
import { parseBuildFile } from './file/parse-build-file.js';
import { neededStages, wantedStages } from './file/wanted-stages.js';
import { BuildSession } from './session/build-session.js';
import { BuildStages } from './session/build-stages.js';
import { StageBases } from './session/stage-bases.js';
import { BuildArguments } from './stage/build-arguments.js';
import { StageRunner } from './steps/stage-runner.js';

export interface BuildOptions {
  readonly signal: AbortSignal;
  readonly judge: StepJudge;
}

/** Makes the image of a build file. */
@injectable()
export class ImageBuild {
  constructor(
    @inject(StageRunner) private readonly stages: StageRunner,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(CachedSteps) private readonly cachedSteps: CachedSteps,
    @inject(BuildCounts) private readonly counts: BuildCounts,
  ) {}

  /**
   * Resolves to the image's id once `complete` has resolved, which names the image. On rejection no container of the
   * build is left, unless the client wants to keep containers; images of completed steps stay for the cache.
   */
  run(...build: Parameters<ImageBuild['make']>): Promise<string> {
    return this.counts.run(() => this.make(...build));
  }

  private async make(
    { context, buildFile }: OpenContext,
    request: BuildRequest,
    output: BuildOutput,
    {
      signal: clientSignal,
      judge,
      complete,
    }: BuildOptions & { readonly complete: (result: BuildResult) => Promise<void> },
  ): Promise<string> {
    output.buildFile(buildFile);
    const file = parseBuildFile(buildFile.text, buildFile.name);
    const wanted = wantedStages(file, request);
    const args = new BuildArguments(request.buildArguments, request.automaticArguments);
    await warn(output, file.emptyContinuations);
    const cacheSources = new CacheSources(this.images, this.exchange, request.cacheFrom, request.cacheImports);
    // A failed stage stops the others.
    const failed = new AbortController();
    const signal = AbortSignal.any([clientSignal, failed.signal]);
    const stages: BuildStages = new BuildStages(wanted, async (stage, index) => {
      const stageOutput = output.stage(stage, bases.position(index));
      try {
        return await this.stages.run(session, stage, { index, output: stageOutput });
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    });
    const { escapeMark } = file;
    const named = new NamedContexts(request.namedContexts, this.contexts, signal);
    const bases = new StageBases({ wanted, count: file.stages.length, stages, named, args, escapeMark });
    const session = new BuildSession({
      named,
      bases,
      output,
      request,
      context,
      args,
      cacheSources,
      stages,
      escapeMark,
      signal,
      judge,
    });
    const end = this.cachedSteps.begin();
    try {
      const needed = neededStages(wanted, (name) => request.namedContexts.has(name));
      output.plan({
        globals: file.globals.length,
        stages: needed.map((index) => ({ index, instructions: 1 + (wanted[index]?.instructions.length ?? 0) })),
      });
      const id = await runStages(session, file, needed, output);
      crashPoint('build.steps.done');
      const unused = args.unused().join(' ');
      if (unused !== '') await output.text(`[Warning] One or more build-args [${unused}] were not consumed\n`);
      await complete({ imageId: id, stageImages: await stages.imageIds() });
      return id;
    } finally {
      await stages.settle();
      await session.release();
      end();
    }
  }
}

async function runStages(
  session: BuildSession,
  file: BuildFile,
  needed: readonly number[],
  output: BuildOutput,
): Promise<string> {
  for (const instruction of file.globals) {
    session.signal.throwIfAborted();
    await output.global(instruction);
    declareGlobals(session, instruction);
  }
  const { stages } = session;
  await Promise.all(needed.map((index) => stages.state(index)));
  const last = needed.at(-1);
  const imageId = last === undefined ? undefined : (await stages.state(last)).imageId;
  if (imageId === undefined) throw invalidArgument('No image was generated. Is your Dockerfile empty?');
  return imageId;
}

/** ARG before the first FROM. */
function declareGlobals({ args, escapeMark }: BuildSession, { words }: Instruction): void {
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    const fallback = rest.length === 0 ? undefined : rest.join('=');
    const expand = (text: string): string => expandWord(text, (other) => args.global(other), escapeMark);
    args.declareGlobal(name, fallback === undefined ? undefined : expand(fallback));
  }
}

/** Prints warnings about the build file, in red. */
async function warn(output: BuildOutput, emptyContinuations: readonly string[]): Promise<void> {
  if (emptyContinuations.length === 0) return;
  const found = emptyContinuations.map((text) => `[WARNING]: Empty continuation line found in:\n    ${text}\n`);
  const end = '[WARNING]: Empty continuation lines will become errors in a future release.\n';
  await output.text(`\u001b[91m${found.join('')}${end}\u001b[0m`);
}
