import type { StepJudge } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { CacheSources } from './cache/cache-sources.js';
import { ContextOpener, type ContextSource } from './context/context-opener.js';
import { expandWord } from './file/expand.js';
import type { BuildFile, Instruction, Stage } from './file/instruction.js';
import { parseBuildFile, parseInstruction, refuseEmpty } from './file/parse-build-file.js';
import type { BuildOutput } from './session/build-output.js';
import type { BuildRequest } from './session/build-request.js';
import { BuildSession } from './session/build-session.js';
import { BuildArguments } from './stage/build-arguments.js';
import type { StageState } from './stage/stage-state.js';
import { StageRunner } from './steps/stage-runner.js';

/** Spec: POST /build. */
@injectable()
export class BuildImage {
  constructor(
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(StageRunner) private readonly stages: StageRunner,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
  ) {}

  /**
   * Calls `begin` once context and build file are there; until then nothing was written to the client. Resolves to the
   * image id when the image has its names. On rejection no container and no file of the build is left,
   * unless the client wants to keep containers; images of completed steps stay for the cache.
   */
  async build(
    source: ContextSource,
    request: BuildRequest,
    begin: () => BuildOutput,
    { signal, judge }: { readonly signal: AbortSignal; readonly judge: StepJudge },
  ): Promise<string> {
    const { context, buildFile } = await this.contexts.open(source, { signal });
    crashPoint('build.context.open');
    try {
      refuseEmpty(buildFile);
      const output = begin();
      const file = parseBuildFile(buildFile.text, buildFile.name);
      const stages = wantedStages(file, request);
      const args = new BuildArguments(request.buildArguments);
      await warn(output, file.emptyContinuations);
      const sources = new CacheSources(this.images, this.exchange, request.cacheFrom);
      const session = new BuildSession(request, context, args, sources, output, file.escapeMark, signal, judge);
      try {
        const id = await this.#runStages(session, file.globals, stages);
        crashPoint('build.steps.done');
        const unused = args.unused().join(' ');
        if (unused !== '') await output.write(`[Warning] One or more build-args [${unused}] were not consumed\n`);
        await this.exchange.name(id, request.tags);
        crashPoint('build.named');
        await session.release();
        await output.result(id, { asObject: request.namesBuilder });
        for (const tag of request.tags) await output.write(`Successfully tagged ${tag}\n`);
        return id;
      } finally {
        await session.release();
      }
    } finally {
      await context.release();
    }
  }

  async #runStages(session: BuildSession, globals: readonly Instruction[], stages: readonly Stage[]): Promise<string> {
    const total = globals.length + stages.reduce((sum, { instructions }) => sum + 1 + instructions.length, 0);
    let step = 0;
    const printStep = async ({ text }: Instruction): Promise<void> => {
      session.signal.throwIfAborted();
      await session.output.write(`Step ${++step}/${total} : ${text}`);
      await session.output.write('\n');
    };
    for (const instruction of globals) {
      await printStep(instruction);
      declareGlobals(session, instruction);
    }
    let state: StageState | undefined;
    for (const stage of stages) {
      await printStep(stage.from);
      state = await this.stages.begin(session, stage);
      for (const instruction of stage.instructions) {
        await printStep(instruction);
        await this.stages.perform(session, state, instruction);
      }
      await session.cacheSources.settle(state);
      session.stages.push({ name: stage.name, state });
    }
    if (state?.imageId === undefined) throw invalidArgument('No image was generated. Is your Dockerfile empty?');
    return state.imageId;
  }
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
  await output.write(`\u001b[91m${found.join('')}${end}\u001b[0m`);
}

/** The stages up to the target, which gets the labels of the request. */
function wantedStages({ stages }: BuildFile, { target, labels }: BuildRequest): readonly Stage[] {
  const named = stages.findIndex(({ name }, index) => name === target.toLowerCase() || String(index) === target);
  if (target !== '' && named < 0) throw invalidArgument(`failed to reach build target ${target} in Dockerfile`);
  const wanted = target === '' ? [...stages] : stages.slice(0, named + 1);
  const last = wanted.at(-1);
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (last === undefined || pairs.length === 0) return wanted;
  const text = pairs.map(([name, value]) => `${literal(name)}=${literal(value)}`).join(' ');
  const shown = `LABEL ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  const label = { ...parseInstruction(`LABEL ${text}`, last.from.line), text: shown };
  return [...wanted.slice(0, -1), { ...last, instructions: [...last.instructions, label] }];
}

/** Quoted so that no variable is expanded. */
const literal = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;
