import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageExchange, ImageService } from '@gantry/images/service';
import type { StageOutput } from '../contract/build-output.js';
import { expandWord } from '../file/expand.js';
import type { Instruction, Stage } from '../file/instruction.js';
import { parseInstruction } from '../file/parse-build-file.js';
import type { BuildSession } from '../session/build-session.js';
import { BaseImages } from '../sources/base-images.js';
import { ContextImages } from '../sources/context-images.js';
import { type StageState, variablesOf, withVariables } from '../stage/stage-state.js';
import { StepImages } from './step-images.js';
import { Steps } from './steps.js';

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

interface StagePlace {
  /** The number of the stage. */
  readonly index: number;
  readonly output: StageOutput;
}

/** Begins stages and executes their instructions. */
@injectable()
export class StageRunner {
  constructor(
    @inject(Steps) private readonly steps: Steps,
    @inject(StepImages) private readonly stepImages: StepImages,
    @inject(BaseImages) private readonly baseImages: BaseImages,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(ContextImages) private readonly contextImages: ContextImages,
  ) {}

  /** Executes an instruction other than FROM. */
  async #perform(session: BuildSession, state: StageState, instruction: Instruction): Promise<void> {
    const step = this.steps.get(instruction.keyword);
    session.signal.throwIfAborted();
    await step.run(session, state, instruction);
  }

  /** Executes a stage. Its output has ended when this settles. */
  async run(session: BuildSession, stage: Stage, place: StagePlace): Promise<StageState> {
    const { output } = place;
    try {
      const replacement = stage.name === undefined ? undefined : session.named.find(stage.name);
      if (replacement === undefined) await awaitStages(session, place.index, stage);
      await output.begin(stage.from, (name) => session.args.global(name));
      const state = await this.#begin(
        session,
        replacement === undefined ? stage : { ...stage, base: stage.name ?? '' },
        place,
      );
      for (const instruction of replacement === undefined ? stage.instructions : []) {
        session.signal.throwIfAborted();
        await awaitStages(session, place.index, instruction);
        await output.begin(instruction, variablesOf(state));
        await this.#perform(session, state, instruction);
      }
      await session.cacheSources.settle(state);
      await output.end();
      return state;
    } catch (error) {
      await output.end(error);
      throw error;
    }
  }

  /** FROM: finds the base image, and executes its ONBUILD triggers. */
  async #begin(session: BuildSession, stage: Stage, place: StagePlace): Promise<StageState> {
    const base = expandWord(stage.base, (name) => session.args.global(name), session.escapeMark);
    if (base === '') throw invalidArgument(`base name (${stage.base}) should not be blank`);
    const state = await this.#baseState(session, stage, base, place);
    if (!(state.config.Env ?? []).some((entry) => entry.startsWith('PATH='))) {
      state.config = { ...state.config, Env: withVariables(state.config.Env, [['PATH', defaultPath]]) };
    }
    const triggers = state.config.OnBuild ?? [];
    if (triggers.length > 0) await this.#runTriggers(session, state, stage, triggers);
    await this.stepImages.print(state);
    return state;
  }

  async #runTriggers(
    session: BuildSession,
    state: StageState,
    stage: Stage,
    triggers: readonly string[],
  ): Promise<void> {
    const { OnBuild: _executed, ...config } = state.config;
    state.config = config;
    await state.output.text(`# Executing ${triggers.length} build trigger${triggers.length === 1 ? '' : 's'}`);
    await state.output.text('\n');
    state.printsImages = false;
    state.output.triggers(triggers.length);
    for (const trigger of triggers) {
      const instruction = parseInstruction(trigger, stage.from.line);
      await state.output.beginTrigger(instruction, variablesOf(state));
      await this.#perform(session, state, instruction);
    }
    state.printsImages = true;
  }

  async #baseState(session: BuildSession, stage: Stage, base: string, place: StagePlace): Promise<StageState> {
    const { request } = session;
    const { noCache } = request;
    const isUncached = typeof noCache === 'boolean' ? noCache : noCache.has(stage.name ?? String(place.index));
    const rest = {
      ...place,
      author: '',
      args: await inheritedArguments(session, base, place.index),
      hasOwnCommand: false,
      printsImages: true,
      usesCache: !isUncached,
    };
    const imageId = await this.#baseImage(session, base, place);
    if (imageId === undefined) return { ...rest, imageId, config: {} };
    const image = this.images.get(imageId);
    const document = JSON.parse(this.exchange.content(image.id).configuration) as { readonly author?: string | null };
    return { ...rest, imageId: image.id, config: image.config, author: document.author ?? '' };
  }

  /** The image of an earlier stage, or a stored or pulled one; undefined for `scratch`. */
  async #baseImage(session: BuildSession, base: string, { index, output }: StagePlace): Promise<string | undefined> {
    const earlier = session.stages.named(base, index);
    if (earlier !== undefined) return (await session.stages.state(earlier)).imageId;
    const named = session.named.find(base);
    if (named?.kind === 'result') return named.imageId;
    if (named?.kind === 'archive' || named?.kind === 'remote') return this.contextImages.make(session, named);
    if (base === 'scratch') return undefined;
    const { pull } = session.request;
    const onProgress = (item: object): void => void output.object(item);
    return this.baseImages.find(session, named?.kind === 'image' ? named.reference : base, { pull, onProgress });
  }
}

/** To BuildKit the arguments of a stage are known to those made from it, too. */
async function inheritedArguments(
  { request, stages }: BuildSession,
  base: string,
  index: number,
): Promise<StageState['args']> {
  const earlier = request.followsBuildKit ? stages.named(base, index) : undefined;
  return new Map(earlier === undefined ? [] : (await stages.state(earlier)).args);
}

/** Waits for the stage that an instruction names, so that the wait does not count as its own time. */
async function awaitStages(
  { stages, args, escapeMark }: BuildSession,
  index: number,
  item: Stage | Instruction,
): Promise<void> {
  if ('base' in item) {
    const base = stages.named(
      expandWord(item.base, (name) => args.global(name), escapeMark),
      index,
    );
    if (base !== undefined) await stages.state(base);
    return;
  }
  const from = stages.from(item.flags.get('from') ?? '', index);
  if (from !== undefined) await stages.state(from);
}
