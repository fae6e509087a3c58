import type { Readable } from 'node:stream';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ImageExchange, shortId } from '@gantry/images/service';
import { CachedSteps } from '../cache/cached-steps.js';
import { canonical } from '../cache/canonical.js';
import { FirstImages } from '../cache/first-images.js';
import { keyOfStep } from '../cache/key-of-step.js';
import { StepCache } from '../cache/step-cache.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageConfig, type StageState, shellOf } from '../stage/stage-state.js';
import { buildKitComment } from './buildkit-history.js';

/** Largest configuration and history of an image: every further step writes them again. */
const maxDocumentLength = 2 ** 22;

/** What a step adds to the image before it. */
interface StepResult {
  /** Identifies the step for caches, in its container's configuration, and in the history of classic builds. */
  readonly command: readonly string[];
  /** What the history of builds for BuildKit's clients shows. Undefined: it does not show the step. */
  readonly history: string | undefined;
  readonly layer?: Readable;
  readonly container?: string;
}

/** Takes the images of steps from the cache, or makes them. */
@injectable()
export class StepImages {
  constructor(
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(StepCache) private readonly cache: StepCache,
    @inject(FirstImages) private readonly firstImages: FirstImages,
    @inject(CachedSteps) private readonly steps: CachedSteps,
  ) {}

  /** Continues with the cached image of the same step. Resolves to whether there is one. */
  async reuse(
    session: BuildSession,
    state: StageState,
    command: readonly string[],
    { isNoted = true }: { readonly isNoted?: boolean } = {},
  ): Promise<boolean> {
    const containerConfig = configFor(state, command);
    const key = `${state.imageId}\0${canonical(containerConfig)}`;
    const made = session.sharesSteps ? await session.madeSteps.join(state, key, session.signal) : undefined;
    const found = made ?? (await this.#find(session, state, { command, containerConfig, isNoted }));
    if (found === undefined) return false;
    this.steps.use(found);
    state.imageId = found;
    session.madeSteps.finish(state, found);
    await state.output.cached();
    await this.print(state);
    return true;
  }

  async #find(
    { cacheSources }: BuildSession,
    state: StageState,
    {
      command,
      containerConfig,
      isNoted,
    }: { readonly command: readonly string[]; readonly containerConfig: StageConfig; readonly isNoted: boolean },
  ): Promise<string | undefined> {
    if (!state.usesCache) return undefined;
    const config = withImage(state.config, state.imageId);
    if (cacheSources.advance(state, { command, config, container: containerConfig, isNoted })) return state.imageId;
    await cacheSources.settle(state);
    const cached = this.cache.find(state.imageId, containerConfig);
    state.usesCache = cached !== undefined;
    return cached;
  }

  /** Makes the image of a step and continues with it. */
  async make(
    session: BuildSession,
    state: StageState,
    { command, history, layer, container }: StepResult,
  ): Promise<void> {
    const parent = state.imageId;
    const { followsBuildKit } = session.request;
    const createdBy = followsBuildKit ? history : command.join(' ');
    session.historyLength += createdBy?.length ?? 0;
    if (session.historyLength + JSON.stringify(state.config).length > maxDocumentLength) {
      throw invalidArgument(
        `configuration and history of the image become larger than ${maxDocumentLength} characters`,
      );
    }
    const id = await this.exchange.create(
      {
        ...(parent !== undefined && { parent }),
        ...(layer !== undefined && { layer }),
        config: withImage(state.config, parent),
        author: state.author,
        ...(createdBy !== undefined && { createdBy }),
        ...(followsBuildKit && { comment: buildKitComment, step: keyOfStep(command) }),
        ...(container !== undefined && { container }),
        containerConfig: configFor(state, command),
      },
      { signal: session.signal },
    );
    if (parent === undefined) await this.firstImages.add(id);
    this.steps.add(id, createdBy ?? command.slice(shellOf(state).length + 1).join(' '));
    session.madeSteps.finish(state, id);
    state.imageId = id;
  }

  /** A step that only changes the configuration; `text` describes it, and to BuildKit's clients `history`, if anything. */
  async configure(session: BuildSession, state: StageState, text: string, history: string | undefined): Promise<void> {
    const command = [...shellOf(state), '#(nop) ', text];
    const isNoted = history !== undefined || !session.request.followsBuildKit;
    if (await this.reuse(session, state, command, { isNoted })) return;
    await this.make(session, state, { command, history });
    await this.print(state);
  }

  /** Prints the image that the stage has reached. */
  async print({ output, printsImages, imageId }: StageState): Promise<void> {
    if (!printsImages) return;
    await output.text(` ---> ${imageId === undefined ? '' : shortId(imageId)}\n`);
  }
}

const withImage = (config: StageConfig, parent: string | undefined): StageConfig =>
  parent === undefined ? config : { ...config, Image: parent };

const configFor = (state: StageState, command: readonly string[]): StageConfig => ({
  ...withImage(state.config, state.imageId),
  Cmd: command,
});
