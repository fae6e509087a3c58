import type { StepJudge } from '@gantry/containers/service';
import type { CacheSources } from '../cache/cache-sources.js';
import type { BuildContext } from '../context/build-context.js';
import type { NamedContexts } from '../context/named-contexts.js';
import type { BuildOutput } from '../contract/build-output.js';
import type { BuildRequest } from '../contract/build-request.js';
import type { ImageRoot } from '../images/image-roots.js';
import type { BuildArguments } from '../stage/build-arguments.js';
import type { BuildStages } from './build-stages.js';
import { MadeSteps } from './made-steps.js';
import type { StageBases } from './stage-bases.js';

interface SessionFacts {
  readonly request: BuildRequest;
  readonly context: BuildContext;
  readonly args: BuildArguments;
  readonly cacheSources: CacheSources;
  readonly stages: BuildStages;
  readonly named: NamedContexts;
  readonly bases: StageBases;
  readonly output: BuildOutput;
  readonly escapeMark: string;
  readonly signal: AbortSignal;
  /** Judges the container of each step, as it would run. */
  readonly judge: StepJudge;
}

/** What the steps of one build share. */
export class BuildSession implements SessionFacts {
  /** Mounted images that files are copied from. */
  readonly #roots = new Map<string, Promise<ImageRoot>>();
  /** Images that steps name, each looked for once. */
  readonly #images = new Map<string, Promise<string>>();
  /** Work that only `release` waits for. */
  readonly #background: Promise<void>[] = [];
  readonly madeSteps = new MadeSteps();
  /** Length of the history that the steps made so far. */
  historyLength = 0;
  readonly request: BuildRequest;
  readonly context: BuildContext;
  readonly args: BuildArguments;
  readonly cacheSources: CacheSources;
  readonly stages: BuildStages;
  readonly named: NamedContexts;
  readonly bases: StageBases;
  readonly output: BuildOutput;
  readonly escapeMark: string;
  readonly signal: AbortSignal;
  readonly judge: StepJudge;

  constructor(facts: SessionFacts) {
    this.request = facts.request;
    this.context = facts.context;
    this.args = facts.args;
    this.cacheSources = facts.cacheSources;
    this.stages = facts.stages;
    this.named = facts.named;
    this.bases = facts.bases;
    this.output = facts.output;
    this.escapeMark = facts.escapeMark;
    this.signal = facts.signal;
    this.judge = facts.judge;
  }

  /**
   * Whether stages take steps of each other: not where the cache is another for each of them, and not while the images of
   * steps are those of a cache source, which are stored only where they are needed.
   */
  get sharesSteps(): boolean {
    const { noCache } = this.request;
    return this.cacheSources.isEmpty && (typeof noCache === 'boolean' || noCache.size === 0);
  }

  /** The root of an image, mounted once per build. */
  root(imageId: string, open: () => Promise<ImageRoot>): Promise<ImageRoot> {
    const root = this.#roots.get(imageId) ?? open();
    this.#roots.set(imageId, root);
    return root;
  }

  /** The id of an image, found once per build. */
  image(key: string, find: () => Promise<string>): Promise<string> {
    const image = this.#images.get(key) ?? find();
    this.#images.set(key, image);
    return image;
  }

  /** Adds work that must end before the build does. It must not reject. */
  runInBackground(work: Promise<void>): void {
    this.#background.push(work);
  }

  /** Releases everything that steps hold. Never rejects. Idempotent. */
  async release(): Promise<void> {
    this.cacheSources.release();
    const roots = await Promise.allSettled(this.#roots.values());
    this.#roots.clear();
    await Promise.all([
      this.named.release(),
      ...this.#background.splice(0),
      ...roots.map((root) => (root.status === 'fulfilled' ? root.value.release() : undefined)),
    ]);
  }
}
