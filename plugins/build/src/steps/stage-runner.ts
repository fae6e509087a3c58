import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { expandWord } from '../file/expand.js';
import type { Instruction, Stage } from '../file/instruction.js';
import { parseInstruction } from '../file/parse-build-file.js';
import { BaseImages } from '../images/base-images.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageState, withVariables } from '../stage/stage-state.js';
import { StepImages } from './step-images.js';
import { Steps } from './steps.js';

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Begins stages and executes their instructions. */
@injectable()
export class StageRunner {
  constructor(
    @inject(Steps) private readonly steps: Steps,
    @inject(StepImages) private readonly stepImages: StepImages,
    @inject(BaseImages) private readonly baseImages: BaseImages,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
  ) {}

  /** Executes an instruction other than FROM. */
  async perform(session: BuildSession, state: StageState, instruction: Instruction): Promise<void> {
    const step = this.steps.get(instruction.keyword);
    session.signal.throwIfAborted();
    await step.run(session, state, instruction);
  }

  /** FROM: finds the base image, and executes its ONBUILD triggers. */
  async begin(session: BuildSession, stage: Stage): Promise<StageState> {
    const base = expandWord(stage.base, (name) => session.args.global(name), session.escapeMark);
    if (base === '') throw invalidArgument(`base name (${stage.base}) should not be blank`);
    const state = await this.#baseState(session, base);
    if (!(state.config.Env ?? []).some((entry) => entry.startsWith('PATH='))) {
      state.config = { ...state.config, Env: withVariables(state.config.Env, [['PATH', defaultPath]]) };
    }
    const triggers = state.config.OnBuild ?? [];
    if (triggers.length > 0) await this.#runTriggers(session, state, stage, triggers);
    await this.stepImages.print(session, state);
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
    await session.output.write(`# Executing ${triggers.length} build trigger${triggers.length === 1 ? '' : 's'}`);
    await session.output.write('\n');
    session.printsImages = false;
    for (const trigger of triggers) await this.perform(session, state, parseInstruction(trigger, stage.from.line));
    session.printsImages = true;
  }

  async #baseState(session: BuildSession, base: string): Promise<StageState> {
    const { request } = session;
    const rest = { author: '', args: new Map(), hasOwnCommand: false, usesCache: !request.noCache };
    const imageId = await this.#baseImage(session, base);
    if (imageId === undefined) return { ...rest, imageId, config: {} };
    const image = this.images.get(imageId);
    const document = JSON.parse(this.exchange.content(image.id).configuration) as { readonly author?: string | null };
    return { ...rest, imageId: image.id, config: image.config, author: document.author ?? '' };
  }

  /** The image of an earlier stage, or a stored or pulled one; undefined for `scratch`. */
  async #baseImage(session: BuildSession, base: string): Promise<string | undefined> {
    const earlier = session.stages.find(({ name }) => name === base.toLowerCase());
    if (earlier !== undefined) return earlier.state.imageId;
    if (base === 'scratch') return undefined;
    const { output, request, signal } = session;
    const onProgress = (item: object): void => void output.object(item);
    return this.baseImages.find(base, { pull: request.pull, credentials: request.credentials, onProgress, signal });
  }
}
