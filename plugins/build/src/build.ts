import type { Readable } from 'node:stream';
import { invalidArgument } from '@gantry/core/errors';
import type { BuildArguments } from './build-arguments.js';
import { findMade } from './cache.js';
import { CacheSources } from './cache-sources.js';
import type { BuildContext } from './context/build-context.js';
import { type BuildOutput, shortId } from './output.js';
import type { BuildParts } from './parts.js';
import type { BuildRequest } from './request.js';
import { type ImageRoot, openImageRoot } from './root.js';
import { ContextTree, ImageTree, type SourceTree } from './source-tree.js';
import { type StageConfig, type StageState, shellOf } from './stage-state.js';

/** Of the configuration and the history of an image: the next step writes them again. */
const largestDocument = 2 ** 22;

/** What a step adds to the image before it. */
export interface MadeStep {
  /** Stands for the step in its container's configuration, and in the image's history. */
  readonly command: readonly string[];
  readonly layer?: Readable;
  readonly container?: string;
}

/** One build: what its steps share. */
export class Build {
  /** Images that files are copied from, mounted until the build is over. */
  readonly #roots = new Map<string, Promise<ImageRoot>>();
  /** Removals of containers that nobody waits for before the build is over. */
  readonly #removals: Promise<void>[] = [];
  readonly #sources: CacheSources;
  /** Length of all that steps made so far tell of themselves. */
  #told = 0;
  /** Stages that are done, in their order. */
  readonly stages: { readonly name: string | undefined; readonly state: StageState }[] = [];

  /** Triggers of an image tell what they do, and not what comes of each. */
  tellsImages = true;

  constructor(
    readonly parts: BuildParts,
    readonly request: BuildRequest,
    readonly context: BuildContext,
    readonly args: BuildArguments,
    readonly output: BuildOutput,
    readonly escapeMark: string,
    readonly signal: AbortSignal,
  ) {
    this.#sources = new CacheSources(parts, request.cacheFrom);
  }

  /** Goes on with the image an earlier build has made with the same step. @returns whether there is one. */
  async reuse(state: StageState, command: readonly string[]): Promise<boolean> {
    if (!state.usesCache) return false;
    const config = withImage(state.config, state.imageId);
    if (this.#sources.advance(state, command, config, configFor(state, command))) {
      await this.output.write(' ---> Using cache\n');
      await this.tellImage(state);
      return true;
    }
    await this.#sources.settle(state);
    const found = findMade(this.parts, state.imageId, configFor(state, command));
    if (found === undefined) {
      state.usesCache = false;
      return false;
    }
    state.imageId = found;
    await this.output.write(' ---> Using cache\n');
    await this.tellImage(state);
    return true;
  }

  /** Files a stage that is done. */
  async endStage(name: string | undefined, state: StageState): Promise<void> {
    await this.#sources.settle(state);
    this.stages.push({ name, state });
  }

  /** Makes the image of a step and goes on with it. */
  async make(state: StageState, { command, layer, container }: MadeStep): Promise<void> {
    const { exchange, firsts } = this.parts;
    const parent = state.imageId;
    const createdBy = command.join(' ');
    this.#told += createdBy.length;
    if (this.#told + JSON.stringify(state.config).length > largestDocument) {
      throw invalidArgument(`configuration and history of the image become larger than ${largestDocument} characters`);
    }
    const id = await exchange.create(
      {
        ...(parent !== undefined && { parent }),
        ...(layer !== undefined && { layer }),
        config: withImage(state.config, parent),
        author: state.author,
        createdBy,
        ...(container !== undefined && { container }),
        containerConfig: configFor(state, command),
      },
      { signal: this.signal },
    );
    if (parent === undefined) await firsts.put(id, id);
    state.imageId = id;
  }

  /** A step that changes the configuration alone. `words` is how the history tells it. */
  async configure(state: StageState, words: string): Promise<void> {
    const command = [...shellOf(state), '#(nop) ', words];
    if (await this.reuse(state, command)) return;
    await this.make(state, { command });
    await this.tellImage(state);
  }

  async tellImage({ imageId }: StageState): Promise<void> {
    if (!this.tellsImages) return;
    await this.output.write(` ---> ${imageId === undefined ? '' : shortId(imageId)}\n`);
  }

  /** The files that the build was given. */
  get ownTree(): SourceTree {
    return new ContextTree(this.context, this.parts.archive);
  }

  /** The files of an image, to be read; mounted once, when somebody needs it. */
  treeOf(imageId: string): SourceTree {
    return new ImageTree(imageId, this.parts.known, this.parts.archive, () => {
      const root = this.#roots.get(imageId) ?? openImageRoot(this.parts, imageId);
      this.#roots.set(imageId, root);
      return root;
    });
  }

  /** In the background, before the build ends. */
  removeContainer(id: string): void {
    this.#removals.push(
      this.parts.containers.remove(id).catch((error: unknown) => {
        const facts = { event: 'build.container-left', container: id, reason: String(error) };
        this.parts.log.warn(facts, 'the container of a build step stays');
      }),
    );
  }

  /** Gives back all that steps hold. Never rejects. */
  async release(): Promise<void> {
    this.#sources.release();
    const roots = await Promise.allSettled(this.#roots.values());
    await Promise.all([
      ...this.#removals,
      ...roots.map((root) => (root.status === 'fulfilled' ? root.value.release() : undefined)),
    ]);
  }
}

const withImage = (config: StageConfig, parent: string | undefined): StageConfig =>
  parent === undefined ? config : { ...config, Image: parent };

const configFor = (state: StageState, command: readonly string[]): StageConfig => ({
  ...withImage(state.config, state.imageId),
  Cmd: command,
});
